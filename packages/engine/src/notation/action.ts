import type { GameCommand } from '../command.ts'
import { isSeat } from '../seat.ts'
import type { GameState } from '../state.ts'
import { parseMove } from './move.ts'

/** The command that an action of a record stands for in a position, or null: it is no action at all. */
export function commandOf(state: GameState, action: string): GameCommand | null {
  if (action === 'draw agreed') return { type: 'agreeDraw' }
  const [verb, seat, ...more] = action.split(' ')
  if (isSeat(seat) && more.length === 0) {
    if (verb === 'timeout' || verb === 'resign' || verb === 'leave') return { type: verb, seat }
  }
  const move = parseMove(action)
  if (!move.ok || state.toMove === null) return null
  return { type: 'movePiece', seat: state.toMove, ...move.value }
}
