import { isDeepStrictEqual } from 'node:util'
import type { RoomState } from '@junqi/client'
import {
  applyCommand,
  type Formation,
  type GameCommand,
  type GameEvent,
  type GameState,
  newGame,
  type PerSeat,
  SEATS,
} from '@junqi/engine'
import type { PlayerId, RoomId } from '@junqi/protocol'
import type { LogEntry } from '../../packages/server/src/room/log-entry.ts'
import type { RoomEvent, RoomRules } from '../../packages/server/src/room/room-event.ts'
import { evolveRoom } from '../../packages/server/src/room/room-reducer.ts'
import type { RoomState as State } from '../../packages/server/src/room/room-state.ts'
import { isToldToAll } from '../../packages/server/src/room/view-entry.ts'
import { viewRoom } from '../../packages/server/src/room/view-room.ts'
import type { Acknowledged, Command, Ledger } from './ledger.ts'

export type Log = readonly LogEntry[]
export type Logs = ReadonlyMap<RoomId, Log>

/** Rooms in which a command was acknowledged. */
export function roomsOf(acknowledged: readonly Acknowledged[]): ReadonlySet<RoomId> {
  const rooms = acknowledged.flatMap(({ room, command }) => [
    room,
    'room' in command ? command.room : null,
  ])
  return new Set(rooms.filter((room) => room !== null))
}

/** Acknowledged commands that the logs do not hold as they were acknowledged. */
export function lostCommands(acknowledged: readonly Acknowledged[], logs: Logs): readonly string[] {
  return acknowledged.flatMap((each) => {
    const problem = problemOf(each, logs)
    return problem === null ? [] : [`${each.player} ${JSON.stringify(each.command)}: ${problem}`]
  })
}

function problemOf(acknowledged: Acknowledged, logs: Logs): string | null {
  const { command, player, room, version } = acknowledged
  if (command.type === 'saveDraft') return null
  if (command.type === 'rematch') return problemOfRematch(acknowledged, logs)
  if (room === null) return 'the reply names no room'
  if (version === null) return MAKE_NO_ENTRY.has(command.type) ? null : 'the reply names no version'
  const entry = logs.get(room)?.[version - 1]
  if (entry === undefined) return `${room} has no version ${version}`
  if (entry.player !== player || entry.command !== command.id) {
    return `${room} ${version} is of ${entry.player} ${entry.command}`
  }
  const isThere = entry.events.some((event) => isResultOf(command, player, event))
  return isThere ? null : `${room} ${version} holds ${entry.events.map(({ type }) => type)}`
}

/** Asked for what is so already, they change nothing. */
const MAKE_NO_ENTRY: ReadonlySet<Command['type']> = new Set(['ready', 'notReady'])

/** Whoever asks first makes the entry; all are told the one new room. */
function problemOfRematch({ command, room }: Acknowledged, logs: Logs): string | null {
  if (command.type !== 'rematch' || room === null) return 'the reply names no room'
  const told = logs
    .get(command.room)
    ?.flatMap(({ events }) => events)
    .find((event) => event.type === 'rematchCreated')
  if (told === undefined) return `${command.room} has no rematch`
  if (room !== told.room && room !== command.room) return `the rematch is ${told.room}, not ${room}`
  const [created] = logs.get(told.room)?.[0]?.events ?? []
  return created?.type === 'roomCreated' && created.rematchOf === command.room
    ? null
    : `there is no room ${told.room}`
}

function isResultOf(command: Command, player: PlayerId, event: RoomEvent): boolean {
  switch (command.type) {
    case 'createRoom':
      return event.type === 'roomCreated' && event.host.id === player
    case 'sit':
      return event.type === 'seatTaken'
        ? event.seat === command.seat && event.player.id === player
        : event.type === 'seatChanged' && event.to === command.seat && event.player === player
    case 'stand':
      return event.type === 'seatVacated' && event.player === player && event.reason === 'stood'
    case 'requestSwap':
      return event.type === 'swapRequested' && event.with === command.seat
    case 'answerSwap':
      return (
        event.type === 'swapAnswered' &&
        event.swap === command.swap &&
        event.accept === command.accept
      )
    case 'ready':
    case 'notReady':
      return event.type === 'readyChanged' && event.ready === (command.type === 'ready')
    case 'setRules':
      return event.type === 'rulesChanged' && event.rules.preset === command.preset
    case 'setSpectators':
      return event.type === 'spectatorsChanged' && event.spectators.mode === command.spectators.mode
    case 'removePlayer':
      return (
        event.type === 'seatVacated' &&
        event.player === command.player &&
        event.reason === 'removed'
      )
    case 'addBot':
      return (
        event.type === 'seatTaken' &&
        event.seat === command.seat &&
        event.player.bot === command.level
      )
    case 'start':
      return event.type === 'deploymentStarted' || event.type === 'gameStarted'
    case 'submitFormation':
      return event.type === 'formationSubmitted' && event.formation === command.formation
    case 'move':
      return (
        (event.type === 'pieceMoved' || event.type === 'pieceAttacked') &&
        event.from === command.from &&
        event.to === command.to
      )
    case 'flip':
      return event.type === 'pieceFlipped' && event.space === command.space
    case 'resign':
      return event.type === 'seatEliminated' && event.reason === 'resigned'
    case 'leave':
      return event.type === 'seatEliminated' || event.type === 'seatVacated'
        ? event.reason === 'left'
        : event.type === 'hostChanged' || event.type === 'roomClosed'
    case 'offerDraw':
      return event.type === 'drawOffered'
    case 'answerDraw':
      return (
        event.type === 'drawAnswered' &&
        event.offer === command.offer &&
        event.accept === command.accept
      )
    case 'saveDraft':
    case 'rematch':
      return false
  }
}

/** Acknowledged moves that are not, in their turns, in what a player is told of a room. */
export function lostMoves(
  acknowledged: readonly Acknowledged[],
  { room, version, view }: RoomState,
): readonly string[] {
  const turns = view.history.filter(({ type }) => TURNS.has(type))
  return acknowledged.flatMap((each) => {
    const { command } = each
    if (each.room !== room) return []
    if (each.version !== null && each.version > version) return [`${room} is at ${version} again`]
    if (command.type !== 'move') return []
    const told = turns[command.turn]
    const isTold =
      told !== undefined && 'to' in told && told.from === command.from && told.to === command.to
    return isTold ? [] : [`${room} tells of another turn ${command.turn}`]
  })
}

const TURNS: ReadonlySet<string> = new Set(['pieceMoved', 'pieceAttacked', 'turnSkipped'])

/** What is wrong with a log by itself: gaps, a command that counts twice, time that goes back, an illegal game, a turn cut short. */
export function brokenLog(log: Log): readonly string[] {
  const commands = log.flatMap(({ player, command }) =>
    command === null ? [] : [`${player} ${command}`],
  )
  const once = new Set<string>()
  const twice = commands.filter((command) => once.size === once.add(command).size)
  return [
    ...log.flatMap(({ version }, index) =>
      version === index + 1 ? [] : [`version ${version} stands at ${index + 1}`],
    ),
    ...log.flatMap(({ at, version }, index) => {
      const back = (log[index - 1]?.at ?? 0) - at
      return back > 0 ? [`time goes back by ${back} ms at ${version}`] : []
    }),
    ...twice.map((command) => `${command} counts twice`),
    ...faultsOfGame(log),
  ]
}

/** Entries of the game that are not what the rules make of their commands, or took a turn before its time was over. */
function faultsOfGame(log: Log): readonly string[] {
  const faults: string[] = []
  let game: GameState | null = null
  let rules: RoomRules | null = null
  let clock: TurnClock = { startedAt: 0, banks: {} }
  for (const entry of log) {
    const { version, at, events } = entry
    for (const event of events) {
      if (event.type === 'roomCreated' || event.type === 'rulesChanged') rules = event.rules
    }
    const played: readonly GameEvent[] = events.filter(isOfGame)
    const [first] = played
    if (first === undefined || rules === null) continue
    if (first.type === 'gameStarted') {
      game = newGame(rules.ruleSet, first)
      clock = { startedAt: at, banks: {} }
      continue
    }
    const next: GameState | null = game === null ? null : replayed(game, played)
    if (next === null) return [...faults, `${version} is not legal: ${JSON.stringify(played)}`]
    const early = earliness(entry, rules, clock)
    if (early > 0) faults.push(`${version} skips a turn ${early} ms before its end`)
    clock = {
      startedAt: isSameTurn(game, next) ? clock.startedAt : at,
      banks: { ...clock.banks, ...banksUsed(entry) },
    }
    game = next
  }
  return faults
}

/** When the running turn began, in service time, and what was left in the banks that were used. */
interface TurnClock {
  readonly startedAt: number
  readonly banks: PerSeat<number>
}

const isSameTurn = (one: GameState | null, other: GameState): boolean =>
  one?.turn === other.turn && one.toMove === other.toMove

/** How many milliseconds before its end a turn was skipped; 0: none was, or not before. */
function earliness({ at, events }: LogEntry, { ruleSet }: RoomRules, clock: TurnClock): number {
  const skipped = events.find((event) => event.type === 'turnSkipped')
  if (skipped === undefined) return 0
  const { turnSeconds, bankSeconds } = ruleSet
  const bankMs = clock.banks[skipped.seat] ?? bankSeconds * 1000
  return Math.max(0, clock.startedAt + turnSeconds * 1000 + bankMs - at)
}

const banksUsed = ({ events }: LogEntry): PerSeat<number> =>
  Object.fromEntries(
    events.flatMap((event) => (event.type === 'bankUsed' ? [[event.seat, event.bankMs]] : [])),
  )

/** The game after what was played; null: by the rules something else happens. */
function replayed(game: GameState, played: readonly GameEvent[]): GameState | null {
  const command = played.map((event) => commandBehind(game, event)).find((each) => each !== null)
  if (command === undefined || command === null) return null
  const applied = applyCommand(game, command)
  if (!applied.ok || JSON.stringify(applied.value.events) !== JSON.stringify(played)) return null
  return applied.value.state
}

/** The command that an event answers; null: it follows from another event. */
function commandBehind(game: GameState, event: GameEvent): GameCommand | null {
  switch (event.type) {
    case 'pieceMoved':
    case 'pieceAttacked':
      if (game.toMove === null) return null
      return { type: 'movePiece', seat: game.toMove, from: event.from, to: event.to }
    case 'pieceFlipped':
      if (game.toMove === null) return null
      return { type: 'flipPiece', seat: game.toMove, space: event.space }
    case 'turnSkipped':
      return { type: 'timeout', seat: event.seat }
    case 'drawOffered':
      return { type: 'offerDraw', seat: event.seat }
    case 'drawAnswered':
      return { ...event, type: 'answerDraw' }
    case 'seatEliminated':
      if (event.reason === 'resigned') return { type: 'resign', seat: event.seat }
      return event.reason === 'left' ? { type: 'leave', seat: event.seat } : null
    default:
      return null
  }
}

const GAME_EVENTS = {
  gameStarted: true,
  pieceMoved: true,
  pieceAttacked: true,
  flagRevealed: true,
  officerScouted: true,
  pieceFlipped: true,
  coloursKnown: true,
  turnSkipped: true,
  seatEliminated: true,
  drawOffered: true,
  drawAnswered: true,
  drawLapsed: true,
  gameEnded: true,
} as const satisfies Record<GameEvent['type'], true>

const isOfGame = (event: RoomEvent): event is GameEvent => event.type in GAME_EVENTS

/** What the log makes of its room, at a version; null: it has no entry. */
export const stateAt = (log: Log, version = log.length): State | null =>
  log.slice(0, version).reduce<State | null>(evolveRoom, null)

/** What is wrong with what a player sees of a room, but for drafts and presence, of which the log tells nothing; null: nothing. */
export function strangeView(log: Log, player: PlayerId, seen: RoomState): string | null {
  const { room, version, view } = seen
  const state = stateAt(log, version)
  if (state === null || state.version < version)
    return `${room} is seen at ${version}, its log is not`
  const events = log.slice(0, version).flatMap((entry) => entry.events)
  const expected = viewRoom(state, {
    player,
    draft: view.you.draft,
    history: events.filter(isToldToAll),
    goneSince: (id) => goneSince(view, id),
  })
  // As it comes over the wire.
  return isDeepStrictEqual(JSON.parse(JSON.stringify(expected)), view)
    ? null
    : `${room} at ${version} is not to ${player} what its log says`
}

const goneSince = ({ seats }: RoomState['view'], player: PlayerId): number | null =>
  SEATS.map((seat) => seats[seat]).find((occupant) => occupant?.player.id === player)?.goneSince ??
  null

/** Whether the game of a log has come to its end. */
export const hasEnded = (log: Log): boolean =>
  log.some(({ events }) => events.some(({ type }) => type === 'gameEnded'))

export interface ExpectedDraft {
  readonly room: RoomId
  readonly player: PlayerId
  /** The last one of which the player was told that it is saved, and those of which it was told nothing yet. */
  readonly formations: readonly Formation[]
}

/** The drafts that must be there, while their deployment goes on. */
export function expectedDrafts(
  { acknowledged, unanswered }: Pick<Ledger, 'acknowledged' | 'unanswered'>,
  logs: Logs,
): readonly ExpectedDraft[] {
  const last = new Map<string, Acknowledged>()
  for (const each of acknowledged) {
    const { command, player } = each
    if (isDraft(command)) {
      last.set(`${command.room} ${player}`, each)
    }
  }
  return [...last.values()].flatMap(({ command, player, seen }) => {
    if (command.type !== 'saveDraft') return []
    const { room } = command
    if (!isInDeployment(logs.get(room) ?? [], { since: seen, player })) return []
    // What is handed in is kept as a draft too, before the log says so.
    const later = unanswered.flatMap((sent) =>
      sent.player === player && isDraft(sent.command) && sent.command.room === room
        ? [sent.command.formation]
        : [],
    )
    return [{ room, player, formations: [command.formation, ...later] }]
  })
}

const isDraft = (
  command: Command,
): command is Extract<Command, { readonly type: 'saveDraft' | 'submitFormation' }> =>
  command.type === 'saveDraft' || command.type === 'submitFormation'

/** Whether the deployment that went on at a version still does, and the player is neither ready nor gone. */
function isInDeployment(log: Log, { since, player }: { since: number; player: PlayerId }): boolean {
  const after = log.slice(since).flatMap((entry) => entry.events.map((event) => ({ entry, event })))
  return !after.some(
    ({ entry, event }) =>
      event.type === 'deploymentCancelled' ||
      event.type === 'gameStarted' ||
      (event.type === 'formationSubmitted' && entry.player === player),
  )
}
