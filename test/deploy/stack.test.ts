import { fileURLToPath } from 'node:url'
import { guest } from '@junqi/protocol'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runCli } from '../../packages/cli/test/run-cli.ts'
import { Balancer } from '../support/balancer.ts'
import { describeWithRedis } from '../support/redis-server.ts'
import { complaintsIn, type ServerProcess } from '../support/server-process.ts'
import { Haproxy, hasHaproxy } from './haproxy.ts'
import { type Stack, startStack } from './stack.ts'

const GAME = fileURLToPath(
  new URL('../../packages/engine/test/data/samples/game-7.jgs', import.meta.url),
)
const PLAYED = {
  code: 0,
  stderr: '',
  stdout: expect.stringMatching(/^result: {"winners":\[\],"reason":"quietMoves"}\n/),
}

interface Entry {
  readonly url: string
  close(): Promise<void>
}

function makeGuest(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${url}/v1/guests`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ name: 'Ann' }),
  })
}

async function metric({ adminUrl }: ServerProcess, name: string): Promise<number> {
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(metrics)?.[1])
}

/** The processes of docker-compose.yml with such an entry before them. */
function useStack(makeEntry: (stack: Stack) => Promise<Entry>) {
  let stack: Stack
  let entry: Entry
  beforeEach(async () => {
    stack = await startStack()
    entry = await makeEntry(stack)
  })
  afterEach(async () => {
    await entry.close()
    await stack.stop()
  })
  return {
    url: () => entry.url,
    redis: () => stack.redis,
    nodes: () => [...stack.nodes.values()],
    complaints: () => complaintsIn([...stack.nodes.values()].map((node) => node.output()).join('')),
    play: () => runCli(['play', GAME, '--server', entry.url]),
  }
}

describeWithRedis('what docker-compose.yml runs, behind a plain balancer', () => {
  const stack = useStack(({ nodes }) => Balancer.before([...nodes.values()]))

  test('a game is played through the one entry, by players at both nodes', async () => {
    expect(await stack.play()).toMatchObject(PLAYED)
    for (const node of stack.nodes())
      expect(await metric(node, 'junqi_connections_accepted_total')).toBeGreaterThanOrEqual(2)
    expect(stack.complaints()).toEqual([])
  })

  test('what was acknowledged is there after a kill of Redis and of both nodes', async () => {
    const { id, token } = guest.parse(await (await makeGuest(stack.url())).json())
    await stack.redis().kill()
    for (const node of stack.nodes()) await node.kill('SIGKILL')
    await stack.redis().restart()
    for (const node of stack.nodes()) {
      node.spawn()
      await node.ready()
      const headers = { authorization: `Bearer ${token}` }
      const session = await fetch(`${node.url}/v1/session`, { headers })
      expect(await session.json()).toMatchObject({ player: { id } })
    }
  })
})

describe.runIf(hasHaproxy())('behind HAProxy with deploy/haproxy.cfg', () => {
  describeWithRedis('what docker-compose.yml runs', () => {
    const stack = useStack(({ nodes }) => Haproxy.before(nodes))

    test('a game is played through the one entry, by players at both nodes', async () => {
      expect(await stack.play()).toMatchObject(PLAYED)
      for (const node of stack.nodes())
        expect(await metric(node, 'junqi_connections_accepted_total')).toBeGreaterThanOrEqual(2)
      expect(stack.complaints()).toEqual([])
    })

    test('F-D1: games go on, and new ones begin, while one node after the other is replaced', async () => {
      let isRolling = true
      const rolling = (async () => {
        for (const node of stack.nodes()) {
          expect(await node.kill('SIGTERM')).toBe(0)
          node.spawn()
          await node.ready()
        }
      })().finally(() => {
        isRolling = false
      })
      while (isRolling) expect(await stack.play()).toMatchObject(PLAYED)
      await rolling
      expect(stack.complaints()).toEqual([])
    })

    test("the server's own page is known through the entry, whatever a client claims to have come by", async () => {
      const claimed = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '198.51.100.7' }
      const own = await makeGuest(stack.url(), { origin: stack.url(), ...claimed })
      expect([own.status, own.headers.get('set-cookie')]).toEqual([
        201,
        expect.stringMatching(/SameSite=Strict$/),
      ])
      const other = stack.url().replace('http:', 'https:')
      expect((await makeGuest(stack.url(), { origin: other, ...claimed })).status).toBe(403)
    })
  })
})
