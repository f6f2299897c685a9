import type { SpaceId } from '../board/board.ts'
import { BOARDS } from '../board/describe-board.ts'
import { ok, type Result } from '../result.ts'
import { checkFormation } from '../rules/deployment.ts'
import { PRESETS } from '../rules/presets.ts'
import { type PerSeat, SEATS, type Seat } from '../seat.ts'
import type { Formation } from '../state.ts'
import {
  type FileError,
  fileError,
  firstDifference,
  formatOffset,
  unexpectedByte,
} from './file-error.ts'
import { readFormationBlock } from './jql.ts'

/** What a `.jgs` file starts with (RULES.md, "QQ files"), a character a byte. */
export const JGS_MAGIC = 'QQGame JQS\0'

export const COUNT_OFFSET = 0x1a
export const SEATS_OFFSET = 0x20
export const SEAT_SIZE = 88
export const FORMATION_IN_SEAT = 28
export const ENTRIES_OFFSET = 0x19c
export const ENTRY_SIZE = 10
/** The side of the grid that coordinates are on. */
export const GRID_SIZE = 17

/** QQ's seats by number. */
export const QQ_SEATS = ['east', 'south', 'west', 'north'] as const
export const NOBODY = 0xff

const SPACES: ReadonlySet<SpaceId> = new Set(BOARDS.siguo.spaces)

/** What bits 0 and 1 of a move say of it. */
export const OUTCOMES = [null, 'attackerWins', 'defenderWins', 'bothRemoved'] as const

const OUT_REASONS: ReadonlyMap<number | undefined, JgsOutReason> = new Map([
  [1, 'flagCaptured'],
  [2, 'noMoves'],
  [4, 'resigned'],
  [6, 'left'],
])
type JgsOutReason = 'flagCaptured' | 'noMoves' | 'resigned' | 'left'

/** One of the ten-byte entries of a `.jgs` file: what was done, and what the file says came of it. */
export type JgsEntry = { readonly offset: number } & (
  | {
      readonly type: 'move'
      readonly from: SpaceId
      readonly to: SpaceId
      readonly outcome: (typeof OUTCOMES)[number]
      /** The flags' spaces of attacker and defender, when their field marshals fell. */
      readonly attackerFlag: SpaceId | null
      readonly defenderFlag: SpaceId | null
      readonly next: Seat | null
    }
  | { readonly type: 'timeout'; readonly seat: Seat; readonly next: Seat | null }
  | {
      readonly type: 'out'
      readonly seat: Seat
      readonly reason: JgsOutReason
      readonly next: Seat | null
    }
  /** A seat that was out already left the table. */
  | { readonly type: 'outLeft'; readonly seat: Seat; readonly next: Seat | null }
  | { readonly type: 'end'; readonly draw: boolean }
)

/** A `.jgs` file as it is written: its formations are allowed, its entries not yet played. */
export interface JgsFile {
  readonly formations: PerSeat<Formation>
  readonly entries: readonly JgsEntry[]
}

/** Reads a `.jgs` file as it is written: never throws, whatever the bytes are. */
export function readJgsFile(bytes: Uint8Array): Result<JgsFile, FileError> {
  const wrong = firstDifference(bytes, JGS_MAGIC)
  if (wrong !== null) return unexpectedByte(bytes, wrong, 'the header of a .jgs file')
  const formations = readFormations(bytes)
  if (!formations.ok) return formations
  const entries = readEntries(bytes)
  if (!entries.ok) return entries
  return ok({ formations: formations.value, entries: entries.value })
}

function readFormations(bytes: Uint8Array): Result<PerSeat<Formation>, FileError> {
  const found: { [S in Seat]?: Formation } = {}
  for (let i = 0; i < QQ_SEATS.length; i++) {
    const offset = SEATS_OFFSET + i * SEAT_SIZE
    const seat = readSeat(bytes, offset)
    if (!seat.ok) return seat
    if (found[seat.value] !== undefined) return unexpectedByte(bytes, offset, 'another seat')
    const formation = readFormationBlock(bytes, offset + FORMATION_IN_SEAT)
    if (!formation.ok) return formation
    const problem = checkFormation(PRESETS.siguo, formation.value)
    if (problem !== null)
      return fileError(offset + FORMATION_IN_SEAT, `expected an allowed formation: ${problem}`)
    found[seat.value] = formation.value
  }
  return ok(Object.fromEntries(SEATS.map((seat) => [seat, found[seat]])))
}

function readEntries(bytes: Uint8Array): Result<readonly JgsEntry[], FileError> {
  const count = (bytes[COUNT_OFFSET] ?? 0) + 256 * (bytes[COUNT_OFFSET + 1] ?? 0)
  const end = ENTRIES_OFFSET + count * ENTRY_SIZE
  if (count === 0) return unexpectedByte(bytes, COUNT_OFFSET, 'the number of entries, 1 or more')
  if (bytes.length < end) {
    return unexpectedByte(bytes, bytes.length, `${count} entries, up to ${formatOffset(end)}`)
  }
  const entries: JgsEntry[] = []
  for (let offset = ENTRIES_OFFSET; offset < end; offset += ENTRY_SIZE) {
    const entry = readEntry(bytes, offset)
    if (!entry.ok) return entry
    entries.push(entry.value)
  }
  return ok(entries)
}

function readEntry(bytes: Uint8Array, offset: number): Result<JgsEntry, FileError> {
  if (bytes[offset] === 0x5f) return readMove(bytes, offset)
  if (bytes[offset] !== 0xf5) return unexpectedByte(bytes, offset, 'an entry, 0x5f or 0xf5')
  switch (bytes[offset + 1]) {
    case 2:
      return readSeatEntry(bytes, offset, 'timeout')
    case 3:
      return readOut(bytes, offset)
    case 4:
      return readSeatEntry(bytes, offset, 'outLeft')
    case 5:
      return readEnd(bytes, offset)
    default:
      return unexpectedByte(bytes, offset + 1, 'what happened, 0x02 to 0x05')
  }
}

function readMove(bytes: Uint8Array, offset: number): Result<JgsEntry, FileError> {
  const from = readSpace(bytes, offset + 2)
  if (!from.ok) return from
  const to = readSpace(bytes, offset + 4)
  if (!to.ok) return to
  const attackerFlag = readFlag(bytes, offset + 6)
  if (!attackerFlag.ok) return attackerFlag
  const defenderFlag = readFlag(bytes, offset + 8)
  if (!defenderFlag.ok) return defenderFlag
  const bits = bytes[offset + 1] ?? 0
  return ok({
    type: 'move',
    offset,
    from: from.value,
    to: to.value,
    outcome: OUTCOMES[bits & 3] ?? null,
    attackerFlag: attackerFlag.value,
    defenderFlag: defenderFlag.value,
    next: QQ_SEATS[(bits >> 3) & 3] ?? null,
  })
}

function readSeatEntry(
  bytes: Uint8Array,
  offset: number,
  type: 'timeout' | 'outLeft',
): Result<JgsEntry, FileError> {
  const seat = readSeat(bytes, offset + 2)
  if (!seat.ok) return seat
  const next = readNext(bytes, offset + 4)
  if (!next.ok) return next
  return ok({ type, offset, seat: seat.value, next: next.value })
}

function readOut(bytes: Uint8Array, offset: number): Result<JgsEntry, FileError> {
  const seat = readSeat(bytes, offset + 2)
  if (!seat.ok) return seat
  const reason = OUT_REASONS.get(bytes[offset + 3])
  if (reason === undefined)
    return unexpectedByte(bytes, offset + 3, 'why it is out: 0x01, 0x02, 0x04 or 0x06')
  const next = readNext(bytes, offset + 4)
  if (!next.ok) return next
  return ok({ type: 'out', offset, seat: seat.value, reason, next: next.value })
}

function readEnd(bytes: Uint8Array, offset: number): Result<JgsEntry, FileError> {
  const code = bytes[offset + 3]
  if (code === 2 || code === 4) return ok({ type: 'end', offset, draw: code === 2 })
  return unexpectedByte(bytes, offset + 3, 'how it ended, 0x02 or 0x04')
}

function readSeat(bytes: Uint8Array, offset: number): Result<Seat, FileError> {
  const seat = QQ_SEATS[bytes[offset] ?? NOBODY]
  return seat === undefined ? unexpectedByte(bytes, offset, 'a seat, 0x00 to 0x03') : ok(seat)
}

/** Who moves next; null: nobody. */
function readNext(bytes: Uint8Array, offset: number): Result<Seat | null, FileError> {
  return bytes[offset] === NOBODY ? ok(null) : readSeat(bytes, offset)
}

function readSpace(bytes: Uint8Array, offset: number): Result<SpaceId, FileError> {
  const x = bytes[offset] ?? 0
  const y = bytes[offset + 1] ?? 0
  const space = `${String.fromCharCode(97 + x)}${GRID_SIZE - y}`
  if (SPACES.has(space)) return ok(space)
  return unexpectedByte(bytes, offset, 'x and y of a space of the siguo board')
}

/** The space of a flag; null (0,0): no field marshal fell. */
function readFlag(bytes: Uint8Array, offset: number): Result<SpaceId | null, FileError> {
  return bytes[offset] === 0 && bytes[offset + 1] === 0 ? ok(null) : readSpace(bytes, offset)
}
