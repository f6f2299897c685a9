import { invariant } from '../assert.ts'
import type { SpaceId } from '../board/board.ts'
import type { GameEvent } from '../event.ts'
import type { Seat } from '../seat.ts'
import type { GameState } from '../state.ts'
import { coloursBy } from './flip-colour.ts'
import { boardOf } from './ground.ts'
import { isFlipGame } from './rule-set.ts'

/** What a legal flip does by itself: the piece lies face up, and the colours may be known by it (R-FLIP-2, R-FLIP-3). */
export function flipEvents(
  { ruleSet, flip, pieces }: GameState,
  { seat, space }: { readonly seat: Seat; readonly space: SpaceId },
): readonly GameEvent[] {
  const piece = pieces[boardOf(ruleSet).indexOf.get(space) ?? -1]
  invariant(flip !== null && isFlipGame(ruleSet) && piece?.colour, 'a flip in a flip game')
  const { colour, kind } = piece
  const isLast = !pieces.some((other) => other !== null && other !== piece && !other.shown)
  const colours = coloursBy(ruleSet, flip, { seat, colour, kind, isLast })
  const flipped: GameEvent = { type: 'pieceFlipped', space, colour, kind }
  return colours === null ? [flipped] : [flipped, { type: 'coloursKnown', colours }]
}
