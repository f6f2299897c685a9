import { type Client, connect, createGuest, type RoomHandle } from '@junqi/client'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { startServer } from '../../../test/support/server-process.ts'
import { childrenOf, Junqi, type Served, serve } from './serve-process.ts'

const KEY = 'sixteen-letters-at-least'

async function person(url: string): Promise<Client> {
  const made = await createGuest(url, 'host')
  if (!made.ok) throw new Error(made.error.message)
  const client = connect({ url, token: made.value.token, clientName: 'test', WebSocket })
  onTestFinished(() => client.close())
  await client.online()
  return client
}

/** A table at which bots alone sit; its host watches. */
async function table(
  client: Client,
  levels: readonly ['easy', 'easy'] | readonly ['hard', 'normal'],
) {
  const made = await client.createRoom({ preset: 'duel', options: {}, private: false })
  if (!made.ok || made.value.room === null) throw new Error('no room')
  const room = client.room(made.value.room)
  await room.opened()
  for (const [n, seat] of (['south', 'north'] as const).entries()) {
    const added = await room.addBot(seat, levels[n] ?? 'easy')
    if (!added.ok) throw new Error(added.error.code)
  }
  await until(room, ({ seats }) => Boolean(seats.south?.ready && seats.north?.ready))
  const started = await room.start()
  if (!started.ok) throw new Error(started.error.code)
  return room
}

async function until(
  room: RoomHandle,
  isSo: (view: NonNullable<RoomHandle['view']>) => boolean,
): Promise<void> {
  for await (const update of room.updates()) {
    if (update.type === 'lost') throw new Error(update.reason.message)
    if (isSo(update.state.view)) return
  }
}

const runBots = (url: string, levels: string, pause = 0): Junqi => {
  const bots = new Junqi(['bots', '--server', url, '--levels', levels, '--pause', `${pause}`], {
    JUNQI_BOT_KEY: KEY,
  })
  onTestFinished(() => bots.kill('SIGKILL'))
  return bots
}

async function served(settings: Readonly<Record<string, string>>): Promise<Served> {
  const server = await serve({ JUNQI_BOT_KEY: KEY, ...settings })
  onTestFinished(() => server.stop())
  return server
}

test('bots that were killed play on when they are started again, and are who they were', async () => {
  const { url } = await served({ JUNQI_BOTS: 'none' })
  const first = runBots(url, 'easy:2')
  await first.says(/2 online/)
  const client = await person(url)
  const room = await table(client, ['easy', 'easy'])
  await until(room, ({ game }) => (game?.turn ?? 0) >= 10)
  await first.kill('SIGKILL')
  const turn = room.view?.game?.turn ?? 0
  const second = runBots(url, 'easy:2')
  await until(room, ({ phase }) => phase === 'finished')
  expect(room.view?.game?.turn).toBeGreaterThan(turn)
  expect(room.view?.game?.skipped ?? 0).toBe(0)
  expect(first.said + second.said).not.toContain('FAULT')
})

test('bots play on after the server was killed', async () => {
  const server = await startServer({ JUNQI_BOT_KEY: KEY })
  onTestFinished(() => server.stop())
  const runner = runBots(server.url, 'easy:2')
  await runner.says(/2 online/)
  const room = await table(await person(server.url), ['easy', 'easy'])
  await until(room, ({ game }) => (game?.turn ?? 0) >= 10)
  await server.kill('SIGKILL')
  const turn = room.view?.game?.turn ?? 0
  await runner.says(/none online: the server is gone or restarts/)
  server.spawn()
  await until(room, ({ phase }) => phase === 'finished')
  expect(room.view?.game?.turn).toBeGreaterThan(turn)
  expect(runner.said).not.toContain('FAULT')
})

test('junqi arena has the bots of a server play through sockets, allies together', async () => {
  const server = await served({ JUNQI_STORE: 'memory', JUNQI_BOTS: 'easy:2,normal:2' })
  await server.junqi.says(/4 online/)
  const pairing = ['--a', 'easy', '--b', 'normal', '--server', server.url]
  const arena = new Junqi(['arena', ...pairing, '--preset', 'siguo', '--games', '2'], {})
  onTestFinished(() => arena.kill('SIGKILL'))
  await arena.says(/It ended: 0/)
  expect(arena.said).toContain('easy against normal, siguo, 2 games')
  const [, won, drawn, lost] = /(\d+) won, (\d+) drawn, (\d+) lost/.exec(arena.said) ?? []
  expect(Number(won) + Number(drawn) + Number(lost)).toBe(2)
  expect(server.junqi.said).not.toContain('FAULT')

  const none = new Junqi(['arena', ...pairing, '--a', 'hard'], {})
  await none.says(/no hard bot is free at/)
})

test('bots in the middle of a game end at the first signal', async () => {
  const { url } = await served({ JUNQI_BOTS: 'none' })
  const bots = runBots(url, 'easy:2', 50)
  await bots.says(/2 online/)
  const room = await table(await person(url), ['easy', 'easy'])
  await until(room, ({ game }) => (game?.turn ?? 0) >= 2)
  await bots.kill('SIGTERM')
  expect(bots.said).toContain('It ended: 0')
})

test('bots that have another key than the server end, and say so once', async () => {
  const { url } = await served({ JUNQI_BOTS: 'none', JUNQI_BOT_KEY: 'another-key-of-the-server' })
  const bots = runBots(url, 'easy:2')
  await bots.says(/It ended: 1/)
  expect(bots.said).toBe(`junqi: ${url} has another bot key than JUNQI_BOT_KEY\nIt ended: 1\n`)
})

test('a server without bots runs none', async () => {
  const server = await served({ JUNQI_BOTS: 'none' })
  expect(await childrenOf(server.junqi.child.pid ?? 0)).toEqual([])
})

test('bots beside a server that crash are started again, and end with it however it ends', async () => {
  const server = await served({ JUNQI_BOTS: 'easy:1' })
  await server.junqi.says(/1 online/)
  const [crashed = 0] = await childrenOf(server.junqi.child.pid ?? 0)
  process.kill(crashed, 'SIGKILL')
  await server.junqi.says(/1 online/, 2)
  const [running = 0] = await childrenOf(server.junqi.child.pid ?? 0)
  expect(running).not.toBe(crashed)
  await server.junqi.kill('SIGKILL')
  await gone(running)
})

test('a server that is asked to stop takes its bots with it', async () => {
  const server = await served({ JUNQI_BOTS: 'easy:1' })
  await server.junqi.says(/1 online/)
  const [running = 0] = await childrenOf(server.junqi.child.pid ?? 0)
  await server.junqi.kill('SIGTERM')
  expect(server.junqi.said).toContain('It ended: 0')
  await gone(running)
})

/** Resolves when the process is there no longer; else the test runs out of time. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
}
