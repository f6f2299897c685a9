import type { SpaceId } from '../board/board.ts'
import { PIECES } from '../piece.ts'
import type { Seat } from '../seat.ts'
import { ownerOf } from '../view/piece-owner.ts'
import type { GameView, PieceView } from '../view/seat-view.ts'
import { isSafeOn, mayAttack, sidesOf } from './flip-attack.ts'
import { type Ground, groundOf, type Move, ROAMS } from './ground.ts'
import { gaitOn } from './movement.ts'
import { isFlipGame, type RuleSet } from './rule-set.ts'

/** A game as the seat sees it whose action is explained: what it does not see cannot get into the answer (R-SEE-6). */
export interface Sight {
  readonly ruleSet: RuleSet
  readonly view: GameView
  readonly seat: Seat
}

/** What is wrong with a move that is not legal, in a sentence. */
export function whyIllegalMove(sight: Sight, { from, to }: Move): string {
  const ground = groundOf(sight.ruleSet)
  const missing = [from, to].find((space) => !ground.board.indexOf.has(space))
  if (missing !== undefined) return noSpace(missing)
  if (from === to) return `A move leads to another space than ${from}, where it begins.`
  const piece = pieceOn(sight, from)
  if (piece === null) return `No piece stands on ${from}; move one of your own.`
  return (
    whyItStays(sight, ground, piece) ??
    whyItIsSafe(sight, ground, piece, to) ??
    whyNoWay(ground, piece, to)
  )
}

/** What is wrong with turning up what lies on a space, in a sentence. */
export function whyIllegalFlip(sight: Sight, space: SpaceId): string {
  if (sight.view.flip === undefined) return 'Pieces are turned up in a flip game only; move one.'
  if (!groundOf(sight.ruleSet).board.indexOf.has(space)) return noSpace(space)
  if (pieceOn(sight, space) === null)
    return `No piece lies on ${space}; turn up one that lies face down.`
  return `The piece on ${space} lies face up already; turn up one that lies face down.`
}

const noSpace = (space: SpaceId): string => `The board of this game has no space ${space}.`

/** Of a space that the board has. */
const indexOn = ({ board }: Ground, space: SpaceId): number => board.indexOf.get(space) ?? -1

const pieceOn = ({ view }: Sight, space: SpaceId): PieceView | null =>
  view.pieces.find((piece) => piece.space === space) ?? null

/** R-MOVE-1, R-FLIP-2, R-FLIP-4: why the piece is not moved at all; null: it may be. */
function whyItStays({ view, seat }: Sight, ground: Ground, piece: PieceView): string | null {
  const { space, kind } = piece
  if (view.flip?.colours === null)
    return 'Until the colours are known no piece is moved; turn one up.'
  if (kind === 'hidden' && view.flip !== undefined)
    return `The piece on ${space} lies face down; only pieces that lie face up are moved.`
  const owner = ownerOf(view, piece)
  if (owner !== seat) return `The piece on ${space} is of ${owner}; move one of ${seat}, your own.`
  if (kind !== 'hidden' && !PIECES[kind].moves)
    return `Your ${kind} on ${space} never moves; move another piece.`
  const isTrapped = ground.traps[indexOn(ground, space)] === 1
  return isTrapped
    ? `Your piece on ${space} is in a headquarters, which it never leaves; move another one.`
    : null
}

/** R-MOVE-5, R-FLIP-4 to 7: why what stands on the target is not attacked by the piece; null: it may be. */
function whyItIsSafe(sight: Sight, ground: Ground, piece: PieceView, to: SpaceId): string | null {
  const target = pieceOn(sight, to)
  if (target === null) return null
  const { view, seat } = sight
  if (view.flip !== undefined && target.kind === 'hidden') {
    return `The piece on ${to} lies face down; only pieces that lie face up are attacked.`
  }
  const owner = ownerOf(view, target)
  if (owner === seat || owner === ground.ally[seat]) {
    return `The piece on ${to} is of ${owner}; attack pieces of enemies only.`
  }
  if (ground.camps[indexOn(ground, to)] === 1)
    return `The piece on ${to} is safe in a camp; attack one that is in none.`
  return whyItIsSafeFaceUp(sight, ground, piece, target)
}

/** R-FLIP-5, R-FLIP-6, R-FLIP-7. */
function whyItIsSafeFaceUp(
  { ruleSet, view, seat }: Sight,
  ground: Ground,
  piece: PieceView,
  { space, kind }: PieceView,
): string | null {
  const colour = view.flip?.colours?.[seat]
  if (view.flip === undefined || colour === undefined || !isFlipGame(ruleSet)) return null
  if (kind === 'hidden' || piece.kind === 'hidden') return null
  if (isSafeOn(ground.board.kinds[indexOn(ground, space)], kind)) {
    return `The piece on ${space} is safe in a headquarters; only landmines and flags are attacked there.`
  }
  if (mayAttack(ruleSet, [piece.kind, kind], sidesOf(view.flip, colour))) return null
  const { flipMines, flipFlag } = ruleSet
  return `The ${kind} on ${space} may not be attacked by a ${piece.kind} now (flipMines ${flipMines}, flipFlag ${flipFlag}).`
}

/** R-MOVE-2 to R-MOVE-5, R-MOVE-7. */
function whyNoWay(ground: Ground, { space, kind }: PieceView, to: SpaceId): string {
  const from = indexOn(ground, space)
  if (gaitOn(ground, from, { seat: null, kind }) === ROAMS) {
    return `No free way leads from ${space} to ${to}; this piece goes one step, or over railroads where no other piece stands.`
  }
  return ground.paths.trees[from]?.to.includes(indexOn(ground, to))
    ? `Another piece stands between ${space} and ${to}; all spaces between must be empty.`
    : `No way leads from ${space} to ${to}; this piece goes one step, or along one line of railroad.`
}
