import type { SpaceId } from '../board/board.ts'
import type { PieceKind } from '../piece.ts'
import type { Seat } from '../seat.ts'
import type { FlipState, GameState, PublicState } from '../state.ts'
import { isSafeOn, mayAttack, sidesOf } from './flip-attack.ts'
import { isBare } from './flip-side.ts'
import { type Ground, groundOf, type Move } from './ground.ts'
import { movesOf, type Standing } from './movement.ts'
import { type FlipRuleSet, isFlipGame } from './rule-set.ts'

/** A piece that lies face up. Whose it is follows from the colours, once they are known. */
export interface FaceUp {
  readonly seat: Seat | null
  readonly kind: PieceKind
}

/** A flip game as everyone sees it. What is legal depends on nothing else (R-MOVE-6), so it says nothing else. */
export interface FlipTable {
  readonly ruleSet: FlipRuleSet
  readonly flip: FlipState
  readonly seats: PublicState['seats']
  /** By space index. */
  readonly pieces: readonly (FaceUp | 'faceDown' | null)[]
}

/** The table of a flip game; null: another game. */
export function flipTableOf({ ruleSet, flip, seats, pieces }: GameState): FlipTable | null {
  if (flip === null || !isFlipGame(ruleSet)) return null
  const seen = pieces.map((piece) => (piece === null || piece.shown ? piece : 'faceDown'))
  return { ruleSet, flip, seats, pieces: seen }
}

/** All moves of a seat's pieces, whoever's turn it is: none before the colours are known (R-FLIP-2). */
export function flipMoves({ ruleSet, flip, pieces }: FlipTable, seat: Seat): readonly Move[] {
  const colour = flip.colours?.[seat]
  if (colour === undefined) return []
  const ground = groundOf(ruleSet)
  const sides = sidesOf(flip, colour)
  const faceUpOn = (space: SpaceId): FaceUp | null => {
    const piece = pieces[ground.board.indexOf.get(space) ?? -1] ?? null
    return piece === 'faceDown' ? null : piece
  }
  return movesOf(ground, asFound(ground, pieces, seat), seat).filter(({ from, to }) => {
    const [attacker, defender] = [faceUpOn(from), faceUpOn(to)]
    if (attacker === null || defender === null) return true
    return mayAttack(ruleSet, [attacker.kind, defender.kind], sides)
  })
}

/** The spaces whose pieces a seat may turn up, whoever's turn it is (R-FLIP-2). */
export function flipsOn({ ruleSet, pieces, seats }: FlipTable, seat: Seat): readonly SpaceId[] {
  if (seats[seat]?.out !== null) return []
  return groundOf(ruleSet).board.spaces.filter((_, index) => pieces[index] === 'faceDown')
}

/** R-FLIP-9: whether a seat can stay in the game. */
export const canPlayOn = (table: FlipTable, seat: Seat): boolean =>
  !isBare(table.flip, seat) &&
  (flipsOn(table, seat).length > 0 || flipMoves(table, seat).length > 0)

/**
 * The board as a mover of other games would find it: what can be neither moved nor attacked stands in the way, as an
 * own piece does (R-FLIP-4, R-FLIP-5).
 */
function asFound(
  { board }: Ground,
  pieces: FlipTable['pieces'],
  seat: Seat,
): readonly (Standing | null)[] {
  const inTheWay: Standing = { seat, kind: 'hidden' }
  return pieces.map((piece, index) => {
    if (piece === null) return null
    if (piece === 'faceDown') return inTheWay
    const isSafe = isSafeOn(board.kinds[index], piece.kind)
    return piece.seat !== seat && isSafe ? inTheWay : piece
  })
}
