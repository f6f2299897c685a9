import type { GameCommand } from '../command.ts'
import { isSeat } from '../seat.ts'
import type { GameState } from '../state.ts'
import { parseMove, parseSpace } from './move.ts'

/** The command that an action of a record stands for in a position, or null: it is no action at all. */
export function commandOf(state: GameState, action: string): GameCommand | null {
  if (action === 'draw agreed') return { type: 'agreeDraw' }
  const [verb, seat, ...more] = action.split(' ')
  if (isSeat(seat) && more.length === 0) {
    if (verb === 'timeout' || verb === 'resign' || verb === 'leave') return { type: verb, seat }
  }
  if (state.toMove === null) return null
  if (verb === 'flip' && seat !== undefined && more.length === 0) {
    const space = parseSpace(seat)
    return space.ok ? { type: 'flipPiece', seat: state.toMove, space: space.value } : null
  }
  const move = parseMove(action)
  if (!move.ok) return null
  return { type: 'movePiece', seat: state.toMove, ...move.value }
}
