import type { RoomHandle, RoomState } from '@junqi/client'
import { type Result, randomFormation, SEATS, type Seat } from '@junqi/engine'
import type { RoomId, RoomView } from '@junqi/protocol'
import type { Player } from '../support/make-player.ts'

/** A room in which four players have begun a game. */
export interface Game {
  readonly room: RoomId
  /** Of each seat. */
  readonly handles: Readonly<Record<Seat, RoomHandle>>
}

/** A game with south to move, and turns that do not run out. */
export async function startGame(players: readonly Player[]): Promise<Game> {
  const [host] = players
  if (host === undefined) throw new Error('nobody plays')
  const options = { firstSeat: 'south', turnSeconds: 600 }
  const made = await host.client.createRoom({ preset: 'siguo', options, private: false })
  const { room } = good(made)
  if (room === null) throw new Error('a room without a name')
  const seated = SEATS.map((seat, n) => {
    const handle = players[n]?.client.room(room)
    if (handle === undefined) throw new Error(`nobody sits ${seat}`)
    return { seat, handle }
  })
  for (const { seat, handle } of seated) {
    good(await handle.sit(seat))
    good(await handle.ready())
  }
  good(await host.client.room(room).start())
  for (const { handle } of seated) {
    const { view } = await until(handle, ({ view }) => view.phase === 'deployment')
    good(await handle.submitFormation(randomFormation(view.rules.ruleSet, () => 0.5)))
  }
  for (const { handle } of seated) await until(handle, ({ view }) => view.phase === 'playing')
  const [south, east, north, west] = seated.map(({ handle }) => handle)
  if (!south || !east || !north || !west) throw new Error('not four')
  return { room, handles: { south, east, north, west } }
}

/** What a player may do, one of it. */
export function someMove({ legalMoves }: RoomView, n: number): readonly [string, string] {
  const moves = Object.entries(legalMoves).flatMap(([from, targets]) =>
    targets.map((to) => [from, to] as const),
  )
  const move = moves[n % moves.length]
  if (move === undefined) throw new Error('no legal move')
  return move
}

/** The room as soon as something holds. */
export async function until(
  handle: RoomHandle,
  holds: (state: RoomState) => boolean,
): Promise<RoomState> {
  good(await handle.opened())
  for await (const update of handle.updates()) {
    if (update.type !== 'lost' && holds(update.state)) return update.state
  }
  throw new Error(`${handle.id} is lost`)
}

export function good<T>(result: Result<T, { readonly message: string }>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}
