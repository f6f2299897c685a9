import type { GameEvent } from '../event.ts'
import { type PlayedAction, playRecord, startOf } from '../replay.ts'
import { err, ok, type Result } from '../result.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import { seatAfter } from '../rules/turn-order.ts'
import type { PerSeat, Seat } from '../seat.ts'
import type { GameResult, GameState } from '../state.ts'
import {
  type EntryBytes,
  endBytes,
  JGS_ENTRIES_LIMIT,
  jgsBytes,
  moveBytes,
  outBytes,
  timeoutBytes,
} from './jgs-bytes.ts'
import { QQ_RULE_SET, QQ_RULES } from './jgs-record.ts'
import type { GameRecord } from './record.ts'

/**
 * Fields that a `.jgs` file need not share with the game: clocks and scores, which it does not tell of, who moves first,
 * which it shows, and limits and ends that are compared by what they led to in this very game.
 */
const FREE_FIELDS: ReadonlySet<string> = new Set([
  'turnSeconds',
  'bankSeconds',
  'deploymentSeconds',
  'scoring',
  'scoreFloor',
  'firstSeat',
  'timeoutForfeit',
  'quietMoveLimit',
  'maxMoves',
  'resignFromMove',
  'leaving',
] satisfies (keyof RuleSet)[])

/**
 * The game as a `.jgs` file, which `readJgs` reads as the same game: the same formations, first seat, actions and result.
 * A game of which that is not so is refused with what it is. `names`: GBK bytes, as many as JGS_NAME_BYTES.
 */
export function writeJgs(
  record: GameRecord,
  { names = {} }: { readonly names?: PerSeat<Uint8Array> } = {},
): Result<Uint8Array, string> {
  if (record.layout !== undefined) return err('a .jgs file knows no flip game, and this is one')
  const problem = problemOfRules(startOf(record).ruleSet) ?? problemOfStart(record)
  if (problem !== null) return err(problem)
  const entries = entriesOf(record)
  if (!entries.ok) return entries
  if (entries.value.length > JGS_ENTRIES_LIMIT) {
    return err(`a .jgs file has at most ${JGS_ENTRIES_LIMIT} entries, not ${entries.value.length}`)
  }
  return ok(jgsBytes({ formations: record.formations, names, entries: entries.value }))
}

function problemOfRules(ruleSet: RuleSet): string | null {
  const { seats } = ruleSet
  if (seats.length !== QQ_RULE_SET.seats.length) {
    return `a .jgs file has four seats, and this game has ${seats.length}: ${seats.join(', ')}`
  }
  for (const [field, value] of Object.entries(ruleSet)) {
    const known = Object.entries(QQ_RULE_SET).find(([name]) => name === field)?.[1]
    const isSame = JSON.stringify(value) === JSON.stringify(known)
    if (!isSame && !FREE_FIELDS.has(field)) {
      const [right, wrong] = [JSON.stringify(known), JSON.stringify(value)]
      return `a .jgs file knows QQ's rules only: ${field} ${right}, not ${wrong}`
    }
  }
  return null
}

/** A file has no first seat: whoever acts first is taken for it. */
function problemOfStart(record: GameRecord): string | null {
  const { first, actions } = record
  const [action] = actions
  if (action === undefined) return 'a .jgs file has one action or more, and this game has none'
  const acting = action === 'draw agreed' ? 'south' : (action.split(' ')[1] ?? first)
  if (acting === first) return null
  return `a .jgs file cannot tell that ${first} moves first when the first action is "${action}"`
}

/** The entries of the game, as it was played and as it will be read: both must be one game. */
function entriesOf(record: GameRecord): Result<readonly EntryBytes[], string> {
  const entries: EntryBytes[] = []
  const asRead = playRecord({ ...record, rules: QQ_RULES })
  let result: GameResult | null = null
  for (const played of playRecord(record)) {
    const read = asRead.next()
    const written = read.done === true ? null : writtenAction(played, read.value)
    if (written === null) return err(`action ${played.n} is illegal: ${played.action}`)
    if (!written.ok) return err(`after action ${played.n} (${played.action}) ${written.error}`)
    entries.push(...written.value)
    result = played.applied?.state.result ?? null
  }
  if (JSON.stringify(result) !== JSON.stringify(record.result)) {
    return err('the result of the record is not what its actions lead to')
  }
  if (result !== null) entries.push(endBytes({ draw: result.winners.length === 0 }))
  return ok(entries)
}

/** null: the action is illegal, here or there. */
function writtenAction(
  played: PlayedAction,
  read: PlayedAction,
): Result<readonly EntryBytes[], string> | null {
  if (played.applied === null || read.applied === null) return null
  const difference = differenceOf(played.applied.events, read.applied.events)
  return difference === null ? bytesOf(read.before, read.applied) : err(difference)
}

/** What happened in the game and will not when the file is read, or the other way round. */
function differenceOf(played: readonly GameEvent[], read: readonly GameEvent[]): string | null {
  for (let n = 0; n < Math.max(played.length, read.length); n++) {
    const [mine, theirs] = [played[n], read[n]]
    if (JSON.stringify(mine) === JSON.stringify(theirs)) continue
    if (mine !== undefined) return `${describe(mine)}, which a .jgs file cannot tell`
    if (theirs !== undefined) return `${describe(theirs)} by QQ's rules, and not in this game`
  }
  return null
}

function describe(event: GameEvent): string {
  if (event.type === 'seatEliminated') return `${event.seat} goes out (${event.reason})`
  if (event.type === 'gameEnded') return `the game ends (${event.reason})`
  return `there is ${event.type}`
}

type Applied = NonNullable<PlayedAction['applied']>

/** The entry of an action, and those that tell who goes out by it. The end of the game comes once, at the end. */
function bytesOf(before: GameState, applied: Applied): Result<readonly EntryBytes[], string> {
  const entries: EntryBytes[] = []
  for (const event of applied.events) {
    const entry = entryOf(before, event, applied)
    if (entry === 'unknown') return err(`${describe(event)}, which a .jgs file cannot tell`)
    if (entry !== null) entries.push(entry)
  }
  return ok(entries)
}

/** null: the event follows from others, or from the end. */
function entryOf(
  { seats, toMove, first }: GameState,
  event: GameEvent,
  { events, state }: Applied,
): EntryBytes | 'unknown' | null {
  // Seats that this very action puts out are told after it, and still count here.
  const after = (seat: Seat): Seat | null => seatAfter(seat, QQ_RULE_SET, seats)
  switch (event.type) {
    case 'pieceMoved':
    case 'pieceAttacked': {
      const outcome = event.type === 'pieceAttacked' ? event.outcome : null
      const mover = toMove ?? first
      const { from, to } = event
      return moveBytes({ from, to, outcome, ...flagsIn(events, mover), next: after(mover) })
    }
    case 'turnSkipped':
      return timeoutBytes(event.seat, state.seats[event.seat]?.timeouts ?? 0, after(event.seat))
    case 'seatEliminated':
      return outBytes(event.seat, event.reason, state.toMove) ?? 'unknown'
    default:
      return null
  }
}

/** The flags that a move shows: at most one of each side, for it removes at most one field marshal of each. */
function flagsIn(events: readonly GameEvent[], mover: Seat) {
  const shown = events.filter((event) => event.type === 'flagRevealed')
  return {
    attackerFlag: shown.find(({ seat }) => seat === mover)?.space ?? null,
    defenderFlag: shown.find(({ seat }) => seat !== mover)?.space ?? null,
  }
}
