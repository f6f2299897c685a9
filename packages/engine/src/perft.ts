import { invariant } from './assert.ts'
import { applyCommand } from './decide.ts'
import type { GameRecord } from './notation/record.ts'
import { replayRecord } from './replay.ts'
import { legalMoves } from './rules/legal-moves.ts'
import type { GameState } from './state.ts'

/** The number of legal move sequences of a length from a record's last position. */
export function perft(record: GameRecord, depth: number): number {
  const replayed = replayRecord(record)
  invariant(replayed.ok, 'perft of a record with an illegal action')
  return countMoves(replayed.value.state, depth)
}

/** The same by the engine's own moves: slow, and what the fast count must agree with. */
export function countMoves(state: GameState, depth: number): number {
  if (depth === 0) return 1
  const seat = state.toMove
  if (seat === null) return 0
  const moves = legalMoves(state, seat)
  if (depth === 1) return moves.length
  return moves.reduce((sum, move) => {
    const applied = applyCommand(state, { type: 'movePiece', seat, ...move })
    invariant(applied.ok, 'a legal move was refused')
    return sum + countMoves(applied.value.state, depth - 1)
  }, 0)
}
