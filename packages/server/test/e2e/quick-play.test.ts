import { PRESETS, SEATS, type Seat } from '@junqi/engine'
import { roomView, type ServerMessage, serverMessage } from '@junqi/protocol'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { describeWithRedis, RedisServer } from '../../../../test/support/redis-server.ts'
import {
  makeFolder,
  type ServerProcess,
  startProcess,
  stopProcesses,
} from '../support/server-process.ts'
import { makeGuest, TestClient } from '../support/test-app.ts'

afterEach(stopProcesses)

const PLAYERS = 200
const GUESTS = { JUNQI_RATE_GUESTS: '1000/s burst 1000' }

type Status = Extract<ServerMessage, { type: 'quickPlayStatus' }>

interface Seeker {
  readonly id: string
  readonly token: string
  client: TestClient
}

/** So many players, each connected to the next of the servers. */
async function arrive(servers: readonly ServerProcess[]): Promise<readonly Seeker[]> {
  const numbers = Array.from({ length: PLAYERS }, (_, n) => n)
  return Promise.all(
    numbers.map(async (n) => {
      const url = servers[n % servers.length]?.url ?? ''
      const { id, token } = await makeGuest(url, `P${n}`)
      return { id, token, client: await TestClient.hello(url, token) }
    }),
  )
}

/** The first forty come as pairs. */
const PAIRED = 40

function wish({ client }: Seeker, more: Readonly<Record<string, unknown>> = {}): void {
  client.send({ type: 'quickPlay', id: 'wish', preset: 'siguo', bots: 'never', ...more })
}

async function wishAll(seekers: readonly Seeker[]): Promise<void> {
  await Promise.all(
    seekers.map(async (seeker, n) => {
      if (n >= PAIRED) return wish(seeker)
      if (n % 2 === 1) return
      wish(seeker, { with: 'partner' })
      const told = await seeker.client.find(({ state }) => state === 'inviting')
      seekers[n + 1]?.client.send({ type: 'joinPair', id: 'wish', code: told.code })
    }),
  )
}

async function matchOf({ client }: Seeker): Promise<Status> {
  const told = await client.find(({ state }) => state === 'matched')
  const parsed = serverMessage.parse(told)
  if (parsed.type !== 'quickPlayStatus') throw new Error('no status')
  return parsed
}

/** Who sits where, as the server at this address shows every room that anybody was sent to. */
async function expectFullTables(url: string, seekers: readonly Seeker[]): Promise<void> {
  const matches = await Promise.all(seekers.map(matchOf))
  const rooms = new Set(matches.map(({ room }) => room))
  expect(rooms.size).toBe(seekers.length / SEATS.length)
  const seated = new Map<string, string>()
  for (const room of rooms) {
    const view = roomView.parse(await (await fetch(`${url}/v1/rooms/${room}`)).json())
    expect(view.phase).toBe('deployment')
    expect(view.rules.options).toEqual({})
    for (const seat of SEATS) {
      const player = view.seats[seat]?.player.id ?? 'nobody'
      expect(seated.has(player), `${player} sits twice`).toBe(false)
      seated.set(player, `${room} ${seat}`)
    }
  }
  for (const [n, { id }] of seekers.entries()) {
    expect(seated.get(id)).toBe(`${matches[n]?.room} ${matches[n]?.seat}`)
  }
  expectPairsOpposite(matches.slice(0, PAIRED))
}

function expectPairsOpposite(matches: readonly Status[]): void {
  for (let n = 0; n < matches.length; n += 2) {
    const [one, other] = [matches[n], matches[n + 1]]
    expect(one?.room).toBe(other?.room)
    const seats = [one?.seat, other?.seat].sort() as Seat[]
    const alliances = PRESETS.siguo.alliances.map((alliance) => [...alliance].sort())
    expect(alliances).toContainEqual(seats)
  }
}

test('F-S1: 200 players in quick play at once sit at full tables, on LMDB', async () => {
  const server = await startProcess({ JUNQI_DATA_DIR: makeFolder(), ...GUESTS })
  const seekers = await arrive([server])
  await wishAll(seekers)
  await expectFullTables(server.url, seekers)
})

describeWithRedis('two nodes over one Redis', () => {
  let redis: RedisServer
  beforeAll(async () => {
    redis = await RedisServer.start()
  })
  afterAll(() => redis.stop())

  const startTwo = (prefix: string) =>
    Promise.all(
      [0, 1].map(() =>
        startProcess({
          JUNQI_STORE: 'redis',
          JUNQI_REDIS_URL: redis.url,
          JUNQI_REDIS_PREFIX: prefix,
          ...GUESTS,
        }),
      ),
    )

  test('F-S1: 200 players in quick play at once, spread over both, sit at full tables', async () => {
    const [one, two] = await startTwo('all')
    if (one === undefined || two === undefined) throw new Error('not started')
    const seekers = await arrive([one, two])
    await wishAll(seekers)
    await expectFullTables(two.url, seekers)
  })

  test('F-S1: a node killed while it matches them loses nobody and seats nobody twice', async () => {
    const [one, two] = await startTwo('killed')
    if (one === undefined || two === undefined) throw new Error('not started')
    const seekers = await arrive([one, two])
    await wishAll(seekers)
    // It is in the middle of its rooms when the first of its players is told.
    await Promise.race(seekers.map(matchOf))
    one.child.kill('SIGKILL')
    await one.exited
    await Promise.all(
      seekers.map(async (seeker, n) => {
        if (n % 2 === 1) return
        seeker.client = await TestClient.hello(two.url, seeker.token)
        // The same wish again: if it came through, nothing happens twice.
        wish(seeker, n < PAIRED ? { with: 'partner' } : {})
      }),
    )
    await expectFullTables(two.url, seekers)
  })
})
