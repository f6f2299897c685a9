import {
  bySeat,
  evolveView,
  legalFlipsInView,
  legalMovesInView,
  SEATS,
  type Seat,
  type SeatEvent,
  viewOfStart,
} from '@junqi/engine'
import type { PlayerId, RoomId, RoomView, ServerMessage, ViewedEvent } from '@junqi/protocol'

/** A room as one player sees it at one version of its log. */
export interface RoomState {
  readonly room: RoomId
  readonly version: number
  readonly view: RoomView
}

/** The messages that change what a client knows of a room. */
export type RoomMessage = Extract<
  ServerMessage,
  { readonly type: 'snapshot' | 'event' | 'presence' | 'draft' }
>

type Occupant = NonNullable<RoomView['seats'][Seat]>
type Seats = RoomView['seats']

/** The first state of a room, and every one that the server sends whole. */
export const roomOfSnapshot = ({
  room,
  version,
  view,
}: Extract<ServerMessage, { readonly type: 'snapshot' }>): RoomState => ({ room, version, view })

/**
 * What `me` knows of the room after one more message: the same as a snapshot would say there.
 * Events come in order and without a gap; seeing to that is the caller's part.
 */
export function evolveRoom(state: RoomState, message: RoomMessage, me: PlayerId): RoomState {
  switch (message.type) {
    case 'snapshot':
      return roomOfSnapshot(message)
    case 'event':
      return { ...state, version: message.version, view: afterEntry(state.view, message, me) }
    case 'presence':
      return { ...state, view: afterPresence(state.view, message) }
    case 'draft': {
      const you = { ...state.view.you, draft: message.formation }
      return { ...state, view: { ...state.view, you } }
    }
  }
}

function afterEntry(
  before: RoomView,
  entry: Extract<RoomMessage, { readonly type: 'event' }>,
  me: PlayerId,
): RoomView {
  const view = entry.events.reduce((soFar, event) => afterEvent(soFar, event, me), before)
  const after = { ...view, until: entry.until }
  if (after.game === before.game) return after
  return { ...after, legalMoves: legalMovesOf(after), ...flipsOf(after) }
}

function afterEvent(view: RoomView, event: ViewedEvent, me: PlayerId): RoomView {
  switch (event.type) {
    case 'seatTaken':
      return withSeats(view, { [event.seat]: newcomer(view, event.player) }, me)
    case 'seatVacated':
      return withSeats(view, { [event.seat]: null }, me)
    case 'seatChanged':
      return withSeats(view, exchange(view.seats, event.from, event.to), me)
    case 'swapRequested': {
      const { swap, by } = event
      return { ...view, swaps: [...view.swaps, { swap, by, with: event.with }] }
    }
    case 'swapAnswered':
      return afterSwapAnswered(view, event, me)
    case 'hostChanged':
      return { ...view, host: event.player }
    case 'memberJoined':
      return view
    case 'rulesChanged':
      return withNobodyReady({
        ...view,
        rules: event.rules,
        seats: withFullBanks(view.seats, event),
      })
    case 'spectatorsChanged':
      return { ...view, spectators: event.spectators }
    case 'readyChanged':
      return withOccupant(view, event.seat, { ready: event.ready })
    case 'deploymentStarted':
      return withNobodyReady({ ...view, phase: 'deployment' })
    case 'deploymentCancelled':
      return withNobodyReady({ ...view, phase: 'lobby' })
    case 'gameSealed':
      return { ...view, seal: { commitments: event.commitments, salts: null } }
    case 'sealOpened':
      return { ...view, seal: view.seal && { ...view.seal, salts: event.salts } }
    case 'bankUsed':
      return withOccupant(view, event.seat, { bankMs: event.bankMs })
    case 'rematchCreated':
      return { ...view, rematch: event.room }
    case 'roomClosed':
      return { ...view, closed: true }
    default:
      return afterGameEvent(view, event)
  }
}

function afterGameEvent(view: RoomView, event: SeatEvent): RoomView {
  const { ruleSet } = view.rules
  if (event.type === 'gameStarted') {
    const game = viewOfStart(ruleSet, event)
    return { ...view, phase: 'playing', game, you: { ...view.you, draft: null } }
  }
  if (view.game === null) return view
  const game = evolveView(ruleSet, view.game, view.you.seat ?? 'spectator', event)
  switch (event.type) {
    case 'piecesShown':
      return { ...view, game }
    case 'gameEnded':
      return { ...view, game, phase: 'finished' }
    default:
      return { ...view, game, history: [...view.history, event] }
  }
}

function afterSwapAnswered(
  view: RoomView,
  answer: Extract<ViewedEvent, { readonly type: 'swapAnswered' }>,
  me: PlayerId,
): RoomView {
  const asked = view.swaps.find(({ swap }) => swap === answer.swap)
  const swaps = view.swaps.filter((swap) => swap !== asked)
  if (asked === undefined || !answer.accept) return { ...view, swaps }
  return withSeats({ ...view, swaps }, exchange(view.seats, asked.by, asked.with), me)
}

function afterPresence(
  view: RoomView,
  { player, goneSince }: Extract<RoomMessage, { readonly type: 'presence' }>,
): RoomView {
  const seat = seatOf(view.seats, player)
  return seat === null ? view : withOccupant(view, seat, { goneSince })
}

/** Where the viewer's own pieces may go, by the space they stand on. */
function legalMovesOf({ game, rules, you }: RoomView): RoomView['legalMoves'] {
  if (game === null || you.seat === null) return {}
  const moves: Record<string, string[]> = {}
  for (const { from, to } of legalMovesInView(rules.ruleSet, game, you.seat)) {
    moves[from] = [...(moves[from] ?? []), to]
  }
  return moves
}

/** What the viewer may turn up in a flip game. */
function flipsOf({ game, rules, you }: RoomView): Pick<RoomView, 'flips'> {
  if (game?.flip === undefined) return {}
  return { flips: you.seat === null ? [] : legalFlipsInView(rules.ruleSet, game, you.seat) }
}

const newcomer = ({ rules }: RoomView, player: Occupant['player']): Occupant => ({
  player,
  ready: false,
  goneSince: null,
  bankMs: rules.ruleSet.bankSeconds * 1000,
})

const exchange = (seats: Seats, one: Seat, other: Seat): Partial<Seats> => ({
  [one]: notReady(seats[other]),
  [other]: notReady(seats[one]),
})

const notReady = (occupant: Occupant | null): Occupant | null =>
  occupant === null ? null : { ...occupant, ready: false }

function withSeats(view: RoomView, changed: Partial<Seats>, me: PlayerId): RoomView {
  const seats = { ...view.seats, ...changed }
  return { ...view, seats, you: { ...view.you, seat: seatOf(seats, me) } }
}

function withOccupant(view: RoomView, seat: Seat, changed: Partial<Occupant>): RoomView {
  const occupant = view.seats[seat]
  if (occupant === null) return view
  return { ...view, seats: { ...view.seats, [seat]: { ...occupant, ...changed } } }
}

const withNobodyReady = (view: RoomView): RoomView => ({
  ...view,
  seats: bySeat((seat) => notReady(view.seats[seat])),
})

function withFullBanks(
  seats: Seats,
  { rules }: Extract<ViewedEvent, { readonly type: 'rulesChanged' }>,
): Seats {
  const bankMs = rules.ruleSet.bankSeconds * 1000
  return bySeat((seat) => {
    const occupant = seats[seat]
    return occupant === null ? null : { ...occupant, bankMs }
  })
}

const seatOf = (seats: Seats, player: PlayerId): Seat | null =>
  SEATS.find((seat) => seats[seat]?.player.id === player) ?? null
