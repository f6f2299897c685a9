import {
  assertNever,
  type BySeat,
  bySeat,
  err,
  evolve,
  type GameEvent,
  invariant,
  newGame,
  ok,
  type Seat,
} from '@junqi/engine'
import type { PlayerId } from '@junqi/protocol'
import type { ServiceTime } from '../ports.ts'
import { decideJoin, problemOfAccess } from './access.ts'
import { NO_CHANGES, problemOfChanges, withChange } from './changes.ts'
import { type Decision, refuse } from './decision.ts'
import { decideDraft, decideSubmission, decideWithdrawal, startOfPlay } from './deployment.ts'
import { decideReady, decideRules, decideSpectators, decideStart } from './lobby.ts'
import type { LogEntry } from './log-entry.ts'
import {
  decideAnswer,
  decideFlip,
  decideLeaveInPlay,
  decideMove,
  decideOffer,
  decideResignation,
  decideTimeout,
} from './play.ts'
import type { Expire, PlayerCommand, RoomCommand } from './room-command.ts'
import type { RoomCreated, RoomEvent, TableEvent } from './room-event.ts'
import { CLOSED_KEPT_MS, LOBBY_ENTRIES, LOBBY_IDLE_MS, MAX_REMATCHES } from './room-limits.ts'
import { hasLeft, type Occupant, type RoomState, seatOf } from './room-state.ts'
import {
  decideAddBot,
  decideLeave,
  decideRemoval,
  decideSit,
  decideStand,
  decideSwapAnswer,
  decideSwapRequest,
} from './seating.ts'
import { delayOf, isRunning } from './spectating.ts'
import { deploymentDeadline, fullBank, turnDeadline } from './turn-clock.ts'

/**
 * What a command leads to, or why it is refused. No events: it is accepted, and there is nothing to change
 * (but an expiry without events is an entry all the same: it moves the deadline).
 */
export function decideRoom(state: RoomState, command: RoomCommand): Decision {
  if (command.type === 'expire') return decideExpiry(state, command)
  if (command.type === 'close') return decideClosing(state)
  const problem = problemOfAccess(state, command) ?? problemOfChanges(state, command)
  if (problem !== null) return err(problem)
  const decided = decideByType(state, command)
  return decided.ok ? ok(closeIfWornOut(state, decided.value)) : decided
}

function decideByType(state: RoomState, command: PlayerCommand): Decision {
  switch (command.type) {
    case 'join':
      return decideJoin(state, command)
    case 'sit':
      return decideSit(state, command)
    case 'stand':
      return decideStand(state, command)
    case 'requestSwap':
      return decideSwapRequest(state, command)
    case 'answerSwap':
      return decideSwapAnswer(state, command)
    case 'ready':
      return decideReady(state, command)
    case 'notReady':
      return decideWithdrawal(state, command)
    case 'setRules':
      return decideRules(state, command)
    case 'setSpectators':
      return decideSpectators(state, command)
    case 'removePlayer':
      return decideRemoval(state, command)
    case 'addBot':
      return decideAddBot(state, command)
    case 'start':
      return decideStart(state, command)
    case 'saveDraft':
      return decideDraft(state, command)
    case 'submitFormation':
      return decideSubmission(state, command)
    case 'move':
      return decideMove(state, command)
    case 'flip':
      return decideFlip(state, command)
    case 'resign':
      return decideResignation(state, command)
    case 'leave':
      return state.phase === 'playing'
        ? decideLeaveInPlay(state, command)
        : decideLeave(state, command)
    case 'offerDraw':
      return decideOffer(state, command)
    case 'answerDraw':
      return decideAnswer(state, command)
    case 'rematch':
      return decideRematch(state, command)
    default:
      return assertNever(command)
  }
}

function decideExpiry(state: RoomState, command: Expire): Decision {
  if (state.closed || state.deadline === null || command.at < state.deadline) {
    return refuse('wrong_phase', 'Nothing is due in this room.')
  }
  switch (state.phase) {
    case 'lobby':
      return ok(command.isAttended ? [] : [{ type: 'roomClosed' }])
    case 'deployment':
      return ok(startOfPlay(state, { ...command.formations, ...state.formations }, command))
    case 'playing':
      return decideTimeout(state)
    case 'finished':
      return refuse('wrong_phase')
    default:
      return assertNever(state.phase)
  }
}

/** R-ROOM-6. Asked for twice it is closed once. */
function decideClosing({ phase, closed }: RoomState): Decision {
  if (phase === 'finished') return refuse('game_over')
  return ok(closed ? [] : [{ type: 'roomClosed' }])
}

function decideRematch(
  state: RoomState,
  command: Extract<PlayerCommand, { type: 'rematch' }>,
): Decision {
  const seat = seatOf(state, command.player.id)
  if (seat === null || hasLeft(state, seat)) return refuse('not_seated')
  // Asked for twice it is one room.
  if (state.rematch !== null && state.rematch !== command.closed) return ok([])
  if (state.rematches >= MAX_REMATCHES) {
    return refuse(
      'room_closed',
      'The rematch has closed, as those before it have; make a new room.',
    )
  }
  if (command.room === null) return refuse('busy', 'The game has only just ended; send again.')
  return ok([{ type: 'rematchCreated', room: command.room }])
}

function closeIfWornOut(state: RoomState, events: readonly RoomEvent[]): readonly RoomEvent[] {
  const isWornOut = state.phase === 'lobby' && state.version + 1 >= LOBBY_ENTRIES
  const isClosing = events.some(({ type }) => type === 'roomClosed')
  return isWornOut && events.length > 0 && !isClosing ? [...events, { type: 'roomClosed' }] : events
}

/** The room after an entry of its log; `null` before the first. Events are facts: they are not judged here. */
export function evolveRoom(state: RoomState | null, entry: LogEntry): RoomState {
  invariant(entry.version === (state?.version ?? 0) + 1, `entry ${entry.version} is out of order`)
  const told = entry.events.reduce<RoomState | null>(evolveEvent, state)
  invariant(told !== null, 'a log begins with roomCreated')
  const after = withChange(told, entry)
  const startedAt = state !== null && isSameStretch(state, after) ? state.startedAt : entry.at
  return withProgress(after, {
    version: entry.version,
    phase: after.phase,
    game: after.game,
    startedAt,
    begunAt: isBegun(state, after) ? entry.version : after.begunAt,
    gameVersion: after.gameVersion ?? (after.game === null ? null : entry.version),
    deadline: deadlineOf(after, startedAt, entry.at),
  })
}

/** What a move changes of a room. */
type Progress = Pick<
  RoomState,
  'version' | 'phase' | 'game' | 'startedAt' | 'begunAt' | 'gameVersion' | 'deadline'
>

/** Field by field: on the way of every move, a spread of so many would cost three times all else that is done there. */
const withProgress = (state: RoomState, progress: Progress): RoomState => ({
  version: progress.version,
  phase: progress.phase,
  closed: state.closed,
  rules: state.rules,
  spectators: state.spectators,
  host: state.host,
  listedHost: state.listedHost,
  invitation: state.invitation,
  members: state.members,
  seats: state.seats,
  arrivals: state.arrivals,
  swaps: state.swaps,
  swapCount: state.swapCount,
  formations: state.formations,
  bankMs: state.bankMs,
  startedAt: progress.startedAt,
  game: progress.game,
  seal: state.seal,
  gameVersion: progress.gameVersion,
  begunAt: progress.begunAt,
  changes: state.changes,
  rematch: state.rematch,
  rematches: state.rematches,
  deadline: progress.deadline,
})

/** A flip game has no deployment: it begins with play. */
const isBegun = (before: RoomState | null, after: RoomState): boolean =>
  isRunning(after) && (before === null || !isRunning(before))

/** Nothing that others do restarts a turn's time (R-OUT-4). */
const isSameStretch = (before: RoomState, after: RoomState): boolean =>
  before.phase === after.phase &&
  before.game?.turn === after.game?.turn &&
  before.game?.toMove === after.game?.toMove

/** Every room that lives has one (F-T6). */
function deadlineOf(
  { closed, phase, rules, game, bankMs }: RoomState,
  startedAt: ServiceTime,
  at: ServiceTime,
): ServiceTime | null {
  if (closed) return at + CLOSED_KEPT_MS
  switch (phase) {
    case 'lobby':
      return at + LOBBY_IDLE_MS
    case 'deployment':
      return deploymentDeadline(rules.ruleSet, startedAt)
    case 'playing': {
      invariant(game?.toMove, 'somebody is to move in a running game')
      return turnDeadline(rules.ruleSet, startedAt, bankMs[game.toMove])
    }
    case 'finished':
      return null
    default:
      return assertNever(phase)
  }
}

/** The room after one event of an entry, its clocks left as they were. */
export function evolveEvent(state: RoomState | null, event: RoomEvent): RoomState {
  if (event.type === 'roomCreated') return newRoom(event)
  invariant(state !== null, 'a log begins with roomCreated')
  return isTableEvent(event) ? evolveTable(state, event) : evolveGame(state, event)
}

const TABLE_EVENTS: ReadonlySet<string> = new Set([
  'roomCreated',
  'seatTaken',
  'seatVacated',
  'seatChanged',
  'swapRequested',
  'swapAnswered',
  'hostChanged',
  'memberJoined',
  'rulesChanged',
  'spectatorsChanged',
  'readyChanged',
  'formationSubmitted',
  'deploymentStarted',
  'deploymentCancelled',
  'gameSealed',
  'bankUsed',
  'rematchCreated',
  'roomClosed',
] satisfies TableEvent['type'][])

export const isTableEvent = (event: RoomEvent): event is TableEvent => TABLE_EVENTS.has(event.type)

export const isGameEvent = (event: RoomEvent): event is GameEvent => !isTableEvent(event)

function newRoom({ host, rules, invitation, members, seats, spectators }: RoomCreated): RoomState {
  const room: RoomState = {
    version: 0,
    phase: 'lobby',
    closed: false,
    rules,
    spectators: spectators ?? { mode: 'public' },
    host: host.id,
    listedHost: host.id,
    invitation,
    members: new Set(members),
    seats: { south: null, east: null, north: null, west: null },
    arrivals: 0,
    swaps: [],
    swapCount: 0,
    formations: {},
    bankMs: fullBanks(rules.ruleSet),
    startedAt: 0,
    game: null,
    seal: null,
    gameVersion: null,
    begunAt: 0,
    changes: NO_CHANGES,
    rematch: null,
    rematches: 0,
    deadline: null,
  }
  return seats.reduce((state, taken) => evolveTable(state, { type: 'seatTaken', ...taken }), room)
}

function evolveTable(state: RoomState, event: Exclude<TableEvent, RoomCreated>): RoomState {
  switch (event.type) {
    case 'seatTaken': {
      const arrival = state.arrivals + 1
      const occupant = { player: event.player, ready: false, arrival }
      return { ...withOccupant(state, event.seat, occupant), arrivals: arrival }
    }
    case 'seatVacated': {
      const vacated = withOccupant(state, event.seat, null)
      return event.reason === 'stood' ? vacated : withoutMember(vacated, event.player)
    }
    case 'seatChanged': {
      const occupant = occupantOf(state, event.from)
      const moved = withOccupant(state, event.to, { ...occupant, ready: false })
      return withOccupant(moved, event.from, null)
    }
    case 'swapRequested': {
      const { type: _, ...swap } = event
      return { ...state, swaps: [...state.swaps, swap], swapCount: event.swap }
    }
    case 'swapAnswered':
      return evolveSwap(state, event)
    case 'hostChanged':
      return {
        ...state,
        host: event.player,
        listedHost: delayOf(state) === null ? event.player : state.listedHost,
      }
    case 'memberJoined':
      return { ...state, members: new Set([...state.members, event.player.id]) }
    case 'rulesChanged': {
      const { rules } = event
      return { ...withNobodyReady(state), rules, bankMs: fullBanks(rules.ruleSet) }
    }
    case 'spectatorsChanged':
      return { ...state, spectators: event.spectators }
    case 'readyChanged': {
      const { [event.seat]: _, ...formations } = state.formations
      return { ...withReady(state, event.seat, event.ready), formations }
    }
    case 'formationSubmitted': {
      const formations = { ...state.formations, [event.seat]: event.formation }
      return { ...withReady(state, event.seat, true), formations }
    }
    case 'deploymentStarted':
      return { ...withNobodyReady(state), phase: 'deployment' }
    case 'deploymentCancelled':
      return { ...withNobodyReady(state), phase: 'lobby', formations: {} }
    case 'gameSealed': {
      const { commitments, salts } = event
      return { ...state, seal: { commitments, salts } }
    }
    case 'bankUsed':
      return { ...state, bankMs: { ...state.bankMs, [event.seat]: event.bankMs } }
    case 'rematchCreated':
      return { ...state, rematch: event.room, rematches: state.rematches + 1 }
    case 'roomClosed':
      return { ...state, closed: true }
    default:
      return assertNever(event)
  }
}

function evolveSwap(
  state: RoomState,
  event: Extract<TableEvent, { type: 'swapAnswered' }>,
): RoomState {
  const request = state.swaps.find(({ swap }) => swap === event.swap)
  invariant(request, `no request ${event.swap} to swap seats`)
  const answered = { ...state, swaps: state.swaps.filter((swap) => swap !== request) }
  if (!event.accept) return answered
  const by = { ...occupantOf(state, request.by), ready: false }
  const other = { ...occupantOf(state, request.with), ready: false }
  return withOccupant(withOccupant(answered, request.by, other), request.with, by)
}

function evolveGame(state: RoomState, event: GameEvent): RoomState {
  if (event.type === 'gameStarted') {
    const game = newGame(state.rules.ruleSet, event)
    return { ...state, phase: 'playing', game, formations: {}, changes: NO_CHANGES }
  }
  invariant(state.game !== null, `${event.type} before the game`)
  const game = evolve(state.game, event)
  return withProgress(state, {
    version: state.version,
    phase: game.result === null ? 'playing' : 'finished',
    game,
    startedAt: state.startedAt,
    begunAt: state.begunAt,
    gameVersion: state.gameVersion,
    deadline: state.deadline,
  })
}

const withOccupant = (state: RoomState, seat: Seat, occupant: Occupant | null): RoomState => ({
  ...state,
  seats: { ...state.seats, [seat]: occupant },
})

function withoutMember(state: RoomState, player: PlayerId): RoomState {
  const members = new Set(state.members)
  members.delete(player)
  return { ...state, members }
}

const withReady = (state: RoomState, seat: Seat, ready: boolean): RoomState =>
  withOccupant(state, seat, { ...occupantOf(state, seat), ready })

const withNobodyReady = (state: RoomState): RoomState => ({
  ...state,
  seats: bySeat((seat) => {
    const occupant = state.seats[seat]
    return occupant === null ? null : { ...occupant, ready: false }
  }),
})

const fullBanks = (ruleSet: RoomState['rules']['ruleSet']): BySeat<number> =>
  bySeat(() => fullBank(ruleSet))

function occupantOf(state: RoomState, seat: Seat): Occupant {
  const occupant = state.seats[seat]
  invariant(occupant, `nobody sits ${seat}`)
  return occupant
}
