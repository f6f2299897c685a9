import type { SpaceId } from '../board/board.ts'
import type { AttackOutcome } from '../event.ts'
import { type PerSeat, SEATS, type Seat } from '../seat.ts'
import type { EliminationReason, Formation } from '../state.ts'
import {
  COUNT_OFFSET,
  ENTRIES_OFFSET,
  ENTRY_SIZE,
  FORMATION_IN_SEAT,
  GRID_SIZE,
  JGS_MAGIC,
  NOBODY,
  OUTCOMES,
  QQ_SEATS,
  SEAT_SIZE,
  SEATS_OFFSET,
} from './jgs.ts'
import { writeFormationBlock } from './jql.ts'

/** The most entries that a `.jgs` file counts. */
export const JGS_ENTRIES_LIMIT = 0xffff
/** The most bytes of a name in a `.jgs` file: a zero byte ends it. */
export const JGS_NAME_BYTES = 19

const NAME_IN_SEAT = 8
/** What QQ's offsets in its own header do not count. */
const UNCOUNTED = 0x10

/** QQ's code for each reason that it knows. */
const OUT_CODES: { readonly [R in EliminationReason]?: number } = {
  flagCaptured: 1,
  noMoves: 2,
  resigned: 4,
  left: 6,
}

/** The ten bytes of one entry. */
export type EntryBytes = readonly number[]

interface WrittenMove {
  readonly from: SpaceId
  readonly to: SpaceId
  readonly outcome: AttackOutcome | null
  readonly attackerFlag: SpaceId | null
  readonly defenderFlag: SpaceId | null
  readonly next: Seat | null
}

const KNOWN_OUTCOMES: readonly (AttackOutcome | null)[] = OUTCOMES
/** Bit 6 of QQ's own files: the defender's flag is shown. */
const DEFENDER_FLAG_SHOWN = 0x40

export function moveBytes(move: WrittenMove): EntryBytes {
  const { attackerFlag, defenderFlag, next } = move
  const outcome = Math.max(0, KNOWN_OUTCOMES.indexOf(move.outcome))
  const shown = defenderFlag === null ? 0 : DEFENDER_FLAG_SHOWN
  const seat = next === null ? 0 : seatByte(next)
  return [
    0x5f,
    shown | (seat << 3) | outcome,
    ...spaceBytes(move.from),
    ...spaceBytes(move.to),
    ...flagBytes(attackerFlag),
    ...flagBytes(defenderFlag),
  ]
}

export const timeoutBytes = (seat: Seat, count: number, next: Seat | null): EntryBytes =>
  actBytes(2, seatByte(seat), [count & 0xff, nextByte(next)])

/** null: QQ knows no such reason. */
export function outBytes(
  seat: Seat,
  reason: EliminationReason,
  next: Seat | null,
): EntryBytes | null {
  const code = OUT_CODES[reason]
  return code === undefined ? null : actBytes(3, seatByte(seat), [code, nextByte(next)])
}

export const endBytes = ({ draw }: { readonly draw: boolean }): EntryBytes =>
  actBytes(5, 0, [draw ? 2 : 4, NOBODY])

const actBytes = (act: number, seat: number, rest: readonly [number, number]): EntryBytes => [
  0xf5,
  act,
  seat,
  ...rest,
  0,
  0,
  0,
  0,
  0,
]

const seatByte = (seat: Seat): number => QQ_SEATS.indexOf(seat)
const nextByte = (next: Seat | null): number => (next === null ? NOBODY : seatByte(next))

const spaceBytes = (space: SpaceId): readonly [number, number] => [
  space.charCodeAt(0) - 97,
  GRID_SIZE - Number(space.slice(1)),
]
const flagBytes = (space: SpaceId | null): readonly [number, number] =>
  space === null ? [0, 0] : spaceBytes(space)

/** A whole `.jgs` file. What nothing is known of is zero. */
export function jgsBytes(file: {
  readonly formations: PerSeat<Formation>
  readonly names: PerSeat<Uint8Array>
  readonly entries: readonly EntryBytes[]
}): Uint8Array {
  const { formations, names, entries } = file
  const end = ENTRIES_OFFSET + entries.length * ENTRY_SIZE
  const bytes = new Uint8Array(end)
  bytes.set(Array.from(JGS_MAGIC, (character) => character.charCodeAt(0)))
  bytes.set(twoBytes(ENTRIES_OFFSET - UNCOUNTED), 0x10)
  bytes.set(twoBytes(end - UNCOUNTED), 0x12)
  // The same in all of QQ's files.
  bytes.set([1, 0, 1, 0, NOBODY, SEATS.length], 0x14)
  bytes.set(twoBytes(entries.length), COUNT_OFFSET)
  for (const [number, seat] of QQ_SEATS.entries()) {
    const offset = SEATS_OFFSET + number * SEAT_SIZE
    bytes[offset] = number
    bytes.set(names[seat]?.subarray(0, JGS_NAME_BYTES) ?? [], offset + NAME_IN_SEAT)
    bytes.set(writeFormationBlock(formations[seat] ?? ''), offset + FORMATION_IN_SEAT)
  }
  for (const [n, entry] of entries.entries()) bytes.set(entry, ENTRIES_OFFSET + n * ENTRY_SIZE)
  return bytes
}

const twoBytes = (value: number): readonly [number, number] => [value & 0xff, (value >> 8) & 0xff]
