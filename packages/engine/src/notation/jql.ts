import { invariant } from '../assert.ts'
import { placeKind, TERRITORY_PLACES } from '../board/territory.ts'
import { kindOfSymbol, PIECES } from '../piece.ts'
import { ok, type Result } from '../result.ts'
import type { Formation } from '../state.ts'
import { type FileError, fileError, firstDifference, unexpectedByte } from './file-error.ts'

/** What a `.jql` file starts with (RULES.md, "QQ files"), a character a byte. */
export const JQL_HEADER = 'QQGame JQL File\0\x57\x04\0\0'

/** Bytes of a formation in QQ's files: the places of a territory, front row first, camps too. */
export const FORMATION_BLOCK_SIZE = TERRITORY_PLACES.length

/** The symbol of each of QQ's piece codes, by code. */
const SYMBOLS_BY_CODE = '..FLB987654321'
const FIRST_CODE = 2

/** Reads the formation of a `.jql` file: never throws, whatever the bytes are. */
export function readJql(bytes: Uint8Array): Result<Formation, FileError> {
  const wrong = firstDifference(bytes, JQL_HEADER)
  if (wrong !== null) return unexpectedByte(bytes, wrong, 'the header of a .jql file')
  const formation = readFormationBlock(bytes, JQL_HEADER.length)
  const end = JQL_HEADER.length + FORMATION_BLOCK_SIZE
  if (formation.ok && bytes.length > end) return unexpectedByte(bytes, end, 'the end of the file')
  return formation
}

/** The 50 bytes of a `.jql` file. */
export function writeJql(formation: Formation): Uint8Array {
  const header = Array.from(JQL_HEADER, (character) => character.charCodeAt(0))
  return Uint8Array.of(...header, ...writeFormationBlock(formation))
}

/** Reads the formation whose 30 bytes begin at `start`. */
export function readFormationBlock(bytes: Uint8Array, start: number): Result<Formation, FileError> {
  let formation = ''
  for (const [index, place] of TERRITORY_PLACES.entries()) {
    const offset = start + index
    const code = bytes[offset] ?? 0
    if (placeKind(place) === 'camp') {
      if (bytes[offset] !== 0) return unexpectedByte(bytes, offset, '0x00, for a camp is empty')
      continue
    }
    const symbol = code < FIRST_CODE ? '' : SYMBOLS_BY_CODE.charAt(code)
    if (symbol === '') return unexpectedByte(bytes, offset, 'a piece, 0x02 to 0x0d')
    const count = countOf(symbol)
    if (formation.split(symbol).length > count) {
      return fileError(offset, `expected another piece, for an army has ${count} of ${symbol}`)
    }
    formation += symbol
  }
  return ok(formation)
}

/** The 30 bytes of a formation. */
export function writeFormationBlock(formation: Formation): Uint8Array {
  const block = new Uint8Array(FORMATION_BLOCK_SIZE)
  let next = 0
  for (const [index, place] of TERRITORY_PLACES.entries()) {
    if (placeKind(place) === 'camp') continue
    const code = SYMBOLS_BY_CODE.indexOf(formation.charAt(next++))
    invariant(code >= FIRST_CODE, `not a formation: ${formation}`)
    block[index] = code
  }
  return block
}

/** How many pieces of this symbol an army has. */
function countOf(symbol: string): number {
  const kind = kindOfSymbol(symbol)
  return kind === null ? 0 : PIECES[kind].count
}
