import { invariant } from './assert.ts'
import type { GameCommand } from './command.ts'
import { applyCommand } from './decide.ts'
import { legalFlips, legalMoves } from './rules/legal-moves.ts'
import type { Seat } from './seat.ts'
import type { GameState } from './state.ts'

/** The same for a flip game, by the engine's own moves and flips. The last ply is counted, not made. */
export function countFlipSequences(state: GameState, depth: number): number {
  const seat = state.toMove
  if (seat === null) return 0
  if (depth === 1) return legalMoves(state, seat).length + legalFlips(state, seat).length
  return commandsOf(state, seat).reduce((sum, command) => {
    const applied = applyCommand(state, command)
    invariant(applied.ok, 'a legal action is accepted')
    return sum + countFlipSequences(applied.value.state, depth - 1)
  }, 0)
}

const commandsOf = (state: GameState, seat: Seat): readonly GameCommand[] => [
  ...legalFlips(state, seat).map((space) => ({ type: 'flipPiece', seat, space }) as const),
  ...legalMoves(state, seat).map((move) => ({ type: 'movePiece', seat, ...move }) as const),
]
