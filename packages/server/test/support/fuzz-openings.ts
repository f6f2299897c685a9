import {
  decide,
  type GameState,
  invariant,
  legalFlips,
  legalMoves,
  randomFormation,
  SEATS,
  type Seat,
} from '@junqi/engine'
import type { PlayerId } from '@junqi/protocol'
import type { QueueStore } from '../../src/ports.ts'
import { codeOf, parseQueued, playersOf } from '../../src/quick-play/ticket.ts'
import { type RoomState, seatOf } from '../../src/room/room-state.ts'
import { seededRandom } from './players.ts'

/** A message that would be accepted now, but for its id. */
export type Opening = Readonly<Record<string, unknown>> & { readonly type: string }

/** Of many moves some are enough. */
const MOVES = 8

/**
 * What a player could say in a room that depends on its phase and on what others have done there: by chance alone it is
 * hardly ever said in time.
 */
export function openingsIn(room: string, state: RoomState, player: PlayerId): readonly Opening[] {
  if (state.closed) return []
  const asker: Asker = { player, seat: seatOf(state, player) }
  return openingsOf(state, asker).map((opening) => ({ ...opening, room }))
}

function openingsOf(state: RoomState, asker: Asker): readonly Opening[] {
  switch (state.phase) {
    case 'lobby':
      return [...(state.host === asker.player ? asHost(state) : []), ...inLobby(state, asker.seat)]
    case 'deployment':
      return asker.seat === null ? [] : inDeployment(state, asker.seat)
    case 'playing':
      return asker.seat === null ? [] : inPlay(state, asker.seat)
    case 'finished':
      return [{ type: 'rematch' }]
  }
}

interface Asker {
  readonly player: PlayerId
  readonly seat: Seat | null
}

function asHost({ seats, rules: { preset, ruleSet } }: RoomState): readonly Opening[] {
  const occupants = ruleSet.seats.map((seat) => ({ seat, occupant: seats[seat] }))
  const isReady = occupants.every(({ occupant }) => occupant?.ready === true)
  return [
    { type: 'setRules', preset, options: {} },
    ...(isReady ? [{ type: 'start' }] : []),
    ...occupants.map(({ seat, occupant }) =>
      occupant === null
        ? { type: 'addBot', seat, level: 'easy' }
        : { type: 'removePlayer', player: occupant.player.id },
    ),
  ]
}

function inLobby({ seats, swaps, rules }: RoomState, seat: Seat | null): readonly Opening[] {
  const others = rules.ruleSet.seats.filter((each) => each !== seat)
  const empty = others.filter((each) => seats[each] === null)
  const sits = empty.map((each) => ({ type: 'sit', seat: each }))
  if (seat === null) return sits
  const asked = swaps.filter((swap) => swap.with === seat)
  return [
    ...sits,
    ...(seats[seat]?.ready === true ? [{ type: 'notReady' }] : [{ type: 'ready' }]),
    ...others
      .filter((each) => seats[each] !== null)
      .map((each) => ({ type: 'requestSwap', seat: each })),
    ...asked.map(({ swap }) => ({ type: 'answerSwap', swap, accept: true })),
  ]
}

function inDeployment({ seats, rules }: RoomState, seat: Seat): readonly Opening[] {
  if (seats[seat]?.ready === true) return [{ type: 'notReady' }]
  const { ruleSet } = rules
  const formation = randomFormation(ruleSet, seededRandom(SEATS.indexOf(seat)))
  return [
    { type: 'saveDraft', formation },
    { type: 'submitFormation', formation },
  ]
}

function inPlay({ game }: RoomState, seat: Seat): readonly Opening[] {
  invariant(game !== null, 'a game is played')
  return [...turnsOf(game, seat), ...answersOf(game, seat)]
}

function turnsOf(game: GameState, seat: Seat): readonly Opening[] {
  const { toMove, turn } = game
  if (toMove !== seat) return []
  const flips = game.flip === null ? [] : legalFlips(game, seat)
  return [
    ...legalMoves(game, seat)
      .slice(0, MOVES)
      .map((move) => ({ type: 'move', turn, ...move })),
    ...flips.slice(0, MOVES).map((space) => ({ type: 'flip', turn, space })),
    ...(decide(game, { type: 'resign', seat }).ok ? [{ type: 'resign', turn }] : []),
  ]
}

function answersOf({ offer, ...game }: GameState, seat: Seat): readonly Opening[] {
  if (offer === null) return []
  const answer = { type: 'answerDraw', offer: offer.number, accept: true } as const
  return decide({ ...game, offer }, { ...answer, seat }).ok ? [answer] : []
}

/** Who waits in no queue can invite a partner, or join who has. */
export async function queueOpenings(
  store: Pick<QueueStore, 'queuedOf' | 'readQueue'>,
  player: PlayerId,
): Promise<readonly Opening[]> {
  const own = await store.queuedOf(player)
  if (own !== null && parseQueued(own).type === 'ticket') return [{ type: 'cancelQuickPlay' }]
  const { tickets } = await store.readQueue()
  const codes = tickets.flatMap((record) => {
    const queued = parseQueued(record)
    const isOpen = queued.type === 'ticket' && queued.ticket.isInviting
    return isOpen && !playersOf(queued.ticket).includes(player) ? [codeOf(queued.ticket)] : []
  })
  return [
    { type: 'quickPlay', preset: 'siguo', bots: 'never', with: 'partner' },
    ...codes.map((code) => ({ type: 'joinPair', code })),
  ]
}
