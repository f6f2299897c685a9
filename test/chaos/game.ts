import type { Client, RoomHandle, RoomState, RoomWish } from '@junqi/client'
import { type BySeat, bySeat, type Result, randomFormation, SEATS } from '@junqi/engine'
import type { RoomId, RoomView } from '@junqi/protocol'

/** The handles of four players on the room of a game that has just begun. */
export type Game = BySeat<RoomHandle>

/** Makes a public room for four. */
export async function makeRoom(
  host: Client,
  options: Required<RoomWish>['options'],
): Promise<RoomId> {
  const { room } = good(await host.createRoom({ preset: 'siguo', options, private: false }))
  if (room === null) throw new Error('a room without a name')
  return room
}

/** Four players begin a game. */
export async function startGame(
  clients: BySeat<Client>,
  options: Required<RoomWish>['options'],
): Promise<Game> {
  const room = await makeRoom(clients.south, options)
  const game = bySeat((seat) => clients[seat].room(room))
  for (const seat of SEATS) {
    good(await game[seat].sit(seat))
    good(await game[seat].ready())
  }
  good(await game.south.start())
  for (const seat of SEATS) {
    const { view } = await until(game[seat], ({ view }) => view.phase === 'deployment')
    good(await game[seat].submitFormation(randomFormation(view.rules.ruleSet, () => 0.5)))
  }
  for (const seat of SEATS) await until(game[seat], ({ view }) => view.phase === 'playing')
  return game
}

/** The n-th of the moves that the player has, as soon as it is its turn. */
export async function moveIn(handle: RoomHandle, n: number): Promise<void> {
  const { view } = await until(handle, ({ view: { game, you } }) => game?.toMove === you.seat)
  good(await handle.move(...nthMove(view, n)))
}

function nthMove({ legalMoves }: RoomView, n: number): readonly [string, string] {
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
