import type { SpaceId } from '../board/board.ts'
import { err, ok, type Result } from '../result.ts'
import type { Move } from '../rules/ground.ts'

const SPACE = /^[a-q](?:[1-9]|1[0-7])$/

/** Reads a space's name: column letter and row number. Whether a board has it is for the board. */
export const parseSpace = (text: string): Result<SpaceId, string> =>
  SPACE.test(text) ? ok(text) : err(`a space is a column a to q and a row 1 to 17, such as g6`)

/** Reads a move: two spaces, `g6-g7`. */
export function parseMove(text: string): Result<Move, string> {
  const [from = '', to = '', ...more] = text.split('-')
  if (SPACE.test(from) && SPACE.test(to) && more.length === 0) return ok({ from, to })
  return err('a move is two spaces with - between, such as g6-g7')
}

/** A flip as records tell it: `flip a1` (R-FLIP-10). */
export const formatFlip = (space: SpaceId): string => `flip ${space}`

export const formatMove = ({ from, to }: Move): string => `${from}-${to}`
