import { assertNever } from '../assert.ts'
import type { GameCommand } from '../command.ts'
import { applyCommand } from '../decide.ts'
import type { GameEvent } from '../event.ts'
import { type GameStarted, newGame } from '../new-game.ts'
import { ok, type Result } from '../result.ts'
import { boardOf } from '../rules/ground.ts'
import { PRESETS } from '../rules/presets.ts'
import type { RuleSet, Rules } from '../rules/rule-set.ts'
import { seatAfter } from '../rules/turn-order.ts'
import { SEATS, type Seat } from '../seat.ts'
import type { GameState } from '../state.ts'
import { type FileError, fileError } from './file-error.ts'
import { type JgsEntry, type JgsFile, readJgsFile } from './jgs.ts'
import { type GameRecord, recordOf } from './record.ts'

/** How QQ really played (RULES.md, "QQ files"). */
const QQ_OPTIONS = { quietMoveLimit: 71, resignFromMove: 0, leaving: 'forfeit' } as const
export const QQ_RULES: Rules = { preset: 'siguo', options: QQ_OPTIONS }
export const QQ_RULE_SET: RuleSet = { ...PRESETS.siguo, ...QQ_OPTIONS }

type Entry<Type extends JgsEntry['type']> = Extract<JgsEntry, { type: Type }>

/** A game as far as its file has been replayed. */
interface Replay {
  readonly state: GameState
  readonly events: readonly GameEvent[]
  /** Seats that the rules put out in the last action; the file must tell of them next. */
  readonly untold: readonly Extract<GameEvent, { type: 'seatEliminated' }>[]
}

/**
 * Reads the game of a `.jgs` file and replays it: never throws, whatever the bytes are. What the
 * file says of outcomes, flags, turns, eliminations and the end must be what the replay gives.
 */
export function readJgs(bytes: Uint8Array): Result<GameRecord, FileError> {
  const file = readJgsFile(bytes)
  if (!file.ok) return file
  const { formations, entries } = file.value
  const started: GameStarted = { type: 'gameStarted', formations, first: firstSeat(file.value) }
  let replay: Replay = { state: newGame(QQ_RULE_SET, started), events: [started], untold: [] }
  for (const entry of entries) {
    const next = replayEntry(replay, entry)
    if (!next.ok) return next
    replay = next.value
  }
  const told = allTold(replay, entries.at(-1)?.offset ?? 0)
  return told.ok ? ok(recordOf(QQ_RULES, replay.events)) : told
}

/** The seat of the first action: on whose ground its move begins, or who the entry names. */
function firstSeat({ entries: [entry] }: JgsFile): Seat {
  if (entry === undefined || entry.type === 'end') return 'south'
  if (entry.type !== 'move') return entry.seat
  const { homes, indexOf } = boardOf(QQ_RULE_SET)
  const from = indexOf.get(entry.from) ?? -1
  return SEATS.find((seat) => homes[seat]?.includes(from)) ?? 'south'
}

function replayEntry(replay: Replay, entry: JgsEntry): Result<Replay, FileError> {
  switch (entry.type) {
    case 'move':
      return replayMove(replay, entry)
    case 'timeout':
      return replayTimeout(replay, entry)
    case 'out':
      return replayOut(replay, entry)
    case 'outLeft':
      return replayOutLeft(replay, entry)
    case 'end':
      return replayEnd(replay, entry)
    default:
      return assertNever(entry)
  }
}

function replayMove(replay: Replay, entry: Entry<'move'>): Result<Replay, FileError> {
  const { offset, from, to } = entry
  const { seats, toMove } = replay.state
  const seat = toMove ?? 'south'
  const acted = act(replay, offset, { type: 'movePiece', seat, from, to })
  if (!acted.ok) return acted
  const events = acted.value.events.slice(replay.events.length)
  const attack = events.find((event) => event.type === 'pieceAttacked')
  const flags = events.filter((event) => event.type === 'flagRevealed')
  const attackerFlag = flags.find((flag) => flag.seat === seat)
  const defenderFlag = flags.find((flag) => flag.seat !== seat)
  return verify(acted.value, [
    claim(offset + 1, 'outcome', [entry.outcome, attack?.outcome]),
    claim(offset + 6, "attacker's flag", [entry.attackerFlag, attackerFlag?.space]),
    claim(offset + 8, "defender's flag", [entry.defenderFlag, defenderFlag?.space]),
    // Seats that this very move puts out are told after it, and still count here.
    claim(offset + 1, 'next seat', [entry.next, seatAfter(seat, QQ_RULE_SET, seats)]),
  ])
}

function replayTimeout(replay: Replay, entry: Entry<'timeout'>): Result<Replay, FileError> {
  const { offset, seat } = entry
  const { seats } = replay.state
  const acted = act(replay, offset, { type: 'timeout', seat })
  if (!acted.ok) return acted
  const played = seatAfter(seat, QQ_RULE_SET, seats)
  return verify(acted.value, [claim(offset + 4, 'next seat', [entry.next, played])])
}

/** A seat goes out: by its own act, or by the rules after the last action. */
function replayOut(replay: Replay, entry: Entry<'out'>): Result<Replay, FileError> {
  const { offset, seat, reason } = entry
  if (reason === 'flagCaptured' || reason === 'noMoves') return tellOut(replay, entry)
  const type = reason === 'left' ? 'leave' : 'resign'
  const acted = act(replay, offset, { type, seat })
  return acted.ok ? verifyNext(acted.value, entry) : acted
}

/** No action: the file tells of one that `untold` has. */
function tellOut(replay: Replay, entry: Entry<'out'>): Result<Replay, FileError> {
  const { offset, seat, reason } = entry
  const told = replay.untold.find((out) => out.seat === seat)
  if (told === undefined) {
    return fileError(offset + 2, `expected no ${seat}, for the replay does not put it out here`)
  }
  const rest = { ...replay, untold: replay.untold.filter((out) => out !== told) }
  const verified = verify(rest, [claim(offset + 3, 'reason', [reason, told.reason])])
  return verified.ok ? verifyNext(rest, entry) : verified
}

/** No action either: a seat that was out already left the table. */
function replayOutLeft(replay: Replay, entry: Entry<'outLeft'>): Result<Replay, FileError> {
  const { offset, seat } = entry
  if (replay.state.seats[seat]?.out === null) {
    return fileError(offset + 2, `expected a seat that is out, found ${seat}`)
  }
  return verifyNext(replay, entry)
}

/** A draw that did not come by itself was agreed. */
function replayEnd(replay: Replay, { offset, draw }: Entry<'end'>): Result<Replay, FileError> {
  const { result } = replay.state
  if (draw && result === null) return act(replay, offset, { type: 'agreeDraw' })
  const played = result && (result.winners.length === 0 ? 'a draw' : 'decided')
  const told = draw ? 'a draw' : 'decided'
  return verify(replay, [claim(offset + 3, 'end', [told, played])])
}

/** Plays a command, once everything that the last action led to has been told. */
function act(replay: Replay, offset: number, command: GameCommand): Result<Replay, FileError> {
  const told = allTold(replay, offset)
  if (!told.ok) return told
  const applied = applyCommand(replay.state, command)
  if (!applied.ok) {
    return fileError(offset, `expected what the rules allow, found ${applied.error.code}`)
  }
  const { events, state } = applied.value
  const untold = events
    .filter((event) => event.type === 'seatEliminated')
    .filter(({ reason }) => reason !== 'resigned' && reason !== 'left')
  return ok({ state, events: [...replay.events, ...events], untold })
}

function allTold({ untold: [out] }: Replay, offset: number): Result<null, FileError> {
  if (out === undefined) return ok(null)
  return fileError(offset, `expected that ${out.seat} is out (${out.reason})`)
}

/** Something that the file tells at an offset, and what the replay gives. */
interface Claim {
  readonly offset: number
  readonly what: string
  readonly told: string
  readonly played: string
}

type Fact = string | null | undefined

const claim = (offset: number, what: string, [told, played]: readonly [Fact, Fact]): Claim => ({
  offset,
  what,
  told: told ?? 'none',
  played: played ?? 'none',
})

function verify(replay: Replay, claims: readonly Claim[]): Result<Replay, FileError> {
  const wrong = claims.find(({ told, played }) => told !== played)
  if (wrong === undefined) return ok(replay)
  const { offset, what, told, played } = wrong
  return fileError(offset, `expected the ${what} ${played} by the replay, found ${told}`)
}

/** Who moves next after an elimination: nobody once the game is won; not checked before all is told. */
function verifyNext(
  replay: Replay,
  { offset, next }: Entry<'out'> | Entry<'outLeft'>,
): Result<Replay, FileError> {
  const { result, toMove } = replay.state
  const isDraw = result !== null && result.winners.length === 0
  if (replay.untold.length > 0 || isDraw) return ok(replay)
  return verify(replay, [claim(offset + 4, 'next seat', [next, toMove])])
}
