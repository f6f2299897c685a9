import type { Formations, Seat } from './record.ts'

const KINDS: Readonly<Record<string, string>> = {
  9: 'fieldMarshal',
  8: 'general',
  7: 'majorGeneral',
  6: 'brigadier',
  5: 'colonel',
  4: 'major',
  3: 'captain',
  2: 'lieutenant',
  1: 'engineer',
  B: 'bomb',
  L: 'landmine',
  F: 'flag',
}

export const KIND_WORDS: readonly string[] = Object.values(KINDS)

/** A piece with its kind: what the script that set it up knows, and most who play do not. */
export interface KnownPiece {
  /** Its seat and its first space. */
  readonly id: string
  readonly seat: Seat
  readonly kind: string
}

/** R-BOARD-1: the camps of a territory, rows and columns as its owner sees them. */
const CAMPS = new Set(['2,2', '2,4', '3,3', '4,2', '4,4'])

/** R-BOARD-4: the space of a row (1: the front) and a column (1: the owner's left) of a seat's territory. */
function spaceOf(seat: Seat, row: number, column: number): string {
  switch (seat) {
    case 'south':
      return `${letter(6 + column)}${7 - row}`
    case 'north':
      return `${letter(12 - column)}${11 + row}`
    case 'west':
      return `${letter(7 - row)}${12 - column}`
    case 'east':
      return `${letter(11 + row)}${6 + column}`
  }
}

/** The letter of the board's column, 1 for `a`. */
const letter = (column: number): string => String.fromCharCode(96 + column)

/** The pieces of a formation, by space (R-DEPLOY-5). */
function deploy(seat: Seat, formation: string): readonly (readonly [string, KnownPiece])[] {
  const places = [1, 2, 3, 4, 5, 6].flatMap((row) =>
    [1, 2, 3, 4, 5]
      .filter((column) => !CAMPS.has(`${row},${column}`))
      .map((column) => spaceOf(seat, row, column)),
  )
  return places.map((space, place) => {
    const kind = KINDS[formation[place] ?? '']
    if (kind === undefined) throw new Error(`no formation: ${formation}`)
    return [space, { id: `${seat}:${space}`, seat, kind }]
  })
}

/** All pieces of a game at its start, by space. */
export const deployAll = (formations: Formations): Map<string, KnownPiece> =>
  new Map(
    (['south', 'east', 'north', 'west'] as const).flatMap((seat) => deploy(seat, formations[seat])),
  )
