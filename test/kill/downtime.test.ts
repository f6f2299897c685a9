import { type Client, connect, createGuest, type RoomHandle } from '@junqi/client'
import { type Result, randomFormation } from '@junqi/engine'
import type { RoomView } from '@junqi/protocol'
import { expect, onTestFinished, test } from 'vitest'
import WebSocket from 'ws'
import { seededRandom } from '../support/seeded-random.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'

const TURN_SECONDS = 10
const DOWN_MS = 10_500

test('F-T2 F-T4: a turn is as long as it was, however long the server is down', async () => {
  const server = await startServer()
  onTestFinished(server.stop)
  const [south, north] = await startDuel(server)
  const before = south.view
  await server.kill('SIGKILL')
  // The store's clock is the process's own: it can only be left to run.
  await new Promise((resolve) => setTimeout(resolve, DOWN_MS))
  server.spawn()
  await server.ready()

  const [from, [to] = []] = Object.entries(before?.legalMoves ?? {})[0] ?? []
  if (from === undefined || to === undefined) throw new Error('no legal move')
  expect(await south.move(from, to)).toMatchObject({ ok: true })
  const after = await until(north, ({ game }) => game?.turn === 1)
  expect(after.history).toEqual([{ type: 'pieceMoved', from, to }])
  // And it is armed again: the next turn runs out by itself.
  const skipped = await until(north, ({ game }) => game?.turn === 2)
  expect(skipped.history.at(-1)).toEqual({ type: 'turnSkipped', seat: 'north' })
})

/** Two players with a game that has just begun; south is to move. */
async function startDuel(server: ServerProcess): Promise<readonly [RoomHandle, RoomHandle]> {
  const host = await join(server, 'south')
  const guest = await join(server, 'north')
  const options = { firstSeat: 'south', turnSeconds: TURN_SECONDS }
  const { room } = good(await host.createRoom({ preset: 'duel', options, private: false }))
  if (room === null) throw new Error('a room without a name')
  const [south, north] = [host.room(room), guest.room(room)]
  const random = seededRandom(1)
  for (const [seat, handle] of [
    ['south', south],
    ['north', north],
  ] as const) {
    good(await handle.sit(seat))
    good(await handle.ready())
  }
  good(await south.start())
  for (const handle of [south, north]) {
    const { rules } = await until(handle, ({ phase }) => phase === 'deployment')
    good(await handle.submitFormation(randomFormation(rules.ruleSet, random)))
  }
  await until(south, ({ phase }) => phase === 'playing')
  return [south, north]
}

async function join({ url }: ServerProcess, name: string): Promise<Client> {
  const { token } = good(await createGuest(url, name))
  const client = connect({ url, token, clientName: 'downtime', WebSocket })
  onTestFinished(() => client.close())
  return client
}

/** The room's view as soon as something holds. */
async function until(handle: RoomHandle, holds: (view: RoomView) => boolean): Promise<RoomView> {
  good(await handle.opened())
  for await (const update of handle.updates()) {
    if (update.type !== 'lost' && holds(update.state.view)) return update.state.view
  }
  throw new Error(`${handle.id} is lost`)
}

function good<T>(result: Result<T, { readonly message: string }>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}
