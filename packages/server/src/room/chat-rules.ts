import { allianceOf, err, mayTell, ok, type Result, SEATS, type Seat } from '@junqi/engine'
import type { Channel, PlayerId } from '@junqi/protocol'
import type { ChatStream } from '../ports.ts'
import { type Refusal, refusal } from './decision.ts'
import { maySee, type RoomState, seatOf } from './room-state.ts'
import { isAtTable, isRunning, looksOn, watchOf } from './spectating.ts'

/** What a channel is to one player: allies of different alliances speak in different streams. */
export interface HeardStream extends ChatStream {
  readonly channel: Channel
}

const ROOM: HeardStream = { channel: 'room', name: 'room', part: 0 }

/** All that a player hears now, by public facts (R-CHAT-1, R-CHAT-2). */
export function heardBy(state: RoomState, player: PlayerId): readonly HeardStream[] {
  if (!maySee(state, player) || state.closed) return []
  if (state.phase === 'lobby') return [ROOM]
  const together = isRunning(state) ? [] : [ROOM]
  if (!isAtTable(state, player)) {
    return watchOf(state, player) === 'none' || !looksOn(state, player)
      ? together
      : [...together, ofGame(state, 'spectators', 'spectators')]
  }
  const alliance = allianceStream(state, player)
  return [...together, ofGame(state, 'table', 'table'), ...(alliance === null ? [] : [alliance])]
}

/** Where what a player says in a channel goes, or why it may not be said (R-CHAT-1, R-CHAT-4). */
export function decideSay(
  state: RoomState,
  player: PlayerId,
  channel: Channel,
): Result<HeardStream, Refusal> {
  if (!maySee(state, player)) return err(refusal('room_not_found'))
  if (state.closed) return err(refusal('room_closed'))
  if (isRunning(state) && watchOf(state, player) === 'none') return err(refusal('no_spectators'))
  const stream = heardBy(state, player).find((heard) => heard.channel === channel)
  const isPast = channel !== 'room' && !isRunning(state)
  if (stream === undefined || isPast) return closed(rightOf(state, channel))
  const isTold = listenersOf(state, player, channel).every((listener) =>
    mayTellNow(state, player, listener),
  )
  return isTold
    ? ok(stream)
    : closed('Who is out is shown what those who would hear it do not see.')
}

const RIGHT: Readonly<Record<Channel, string>> = {
  room: 'While the game runs the table, allies and spectators talk apart, in channels of these names.',
  table: 'In this channel those who have a seat talk.',
  alliance: 'In this channel allies who have a seat talk.',
  spectators: 'In this channel those who have no seat talk.',
}

function rightOf(state: RoomState, channel: Channel): string {
  const hasAllies = state.rules.ruleSet.alliances.some(({ length }) => length > 1)
  if (channel === 'alliance' && !hasAllies) return 'Nobody has an ally by the rules of this room.'
  if (channel === 'room' || isRunning(state)) return RIGHT[channel]
  return 'No game runs: before it and after it everybody talks in the channel room.'
}

const closed = (right: string) => err(refusal('channel_closed', right))

/** Each game's talk is its own: after a deployment that was broken off others may sit there. */
const ofGame = (state: RoomState, channel: Channel, name: string): HeardStream => ({
  channel,
  name,
  part: state.begunAt,
})

function allianceStream(state: RoomState, player: PlayerId): HeardStream | null {
  const seat = seatOf(state, player)
  if (seat === null) return null
  const seats = allianceOf(state.rules.ruleSet, seat)
  return seats.length < 2 ? null : ofGame(state, 'alliance', `alliance:${[...seats].sort().join()}`)
}

/** The other seats where somebody would hear it. */
function listenersOf(state: RoomState, player: PlayerId, channel: Channel): readonly Seat[] {
  const own = seatOf(state, player)
  if (own === null || (channel !== 'table' && channel !== 'alliance')) return []
  const seats = channel === 'table' ? SEATS : allianceOf(state.rules.ruleSet, own)
  return seats.filter((seat) => {
    const occupant = state.seats[seat]
    return seat !== own && occupant !== null && isAtTable(state, occupant.player.id)
  })
}

function mayTellNow(state: RoomState, player: PlayerId, listener: Seat): boolean {
  const seat = seatOf(state, player)
  return state.game === null || seat === null || mayTell(seat, listener, state.game)
}
