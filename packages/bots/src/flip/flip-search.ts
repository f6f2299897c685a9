import { KINDS } from '../kinds.ts'
import { ATTACKER_GONE, DEFENDER_GONE } from '../terrain.ts'
import {
  EMPTY,
  type FlipBoard,
  type FlipStakes,
  flipMovesOn,
  playOn,
  takeBackOn,
} from './flip-board.ts'

/** A search, and the positions that it may still look at. */
export interface FlipSearch {
  readonly board: FlipBoard
  readonly stakes: FlipStakes
  left: number
}

/** What the position is worth to the colour to move; who would rather not move may turn a piece up. */
export function flipValue(search: FlipSearch, depth: number, alpha: number, beta: number): number {
  const { board, stakes } = search
  const standing = board.toMove === 0 ? board.score : -board.score
  if (search.left-- <= 0 || depth <= -2) return standing
  const attacksOnly = depth <= 0
  const mayPass = attacksOnly || board.faceDown > 0
  let best = mayPass ? standing : Number.NEGATIVE_INFINITY
  if (best >= beta) return best
  for (const move of inOrder(search, flipMovesOn(board, stakes, { attacksOnly }))) {
    const undo = playOn(board, stakes, move)
    const value = -flipValue(search, depth - 1, -beta, -Math.max(alpha, best))
    takeBackOn(board, undo)
    best = Math.max(best, value)
    if (best >= beta) break
  }
  return best === Number.NEGATIVE_INFINITY ? standing : best
}

/** What takes most comes first. */
function inOrder({ board, stakes }: FlipSearch, moves: readonly number[]): number[] {
  const { owner, kind } = board
  const { terrain, worth } = stakes
  const gain = (move: number): number => {
    const [from, to] = [move >> 8, move & 255]
    const [a, d] = [kind[from] ?? 0, kind[to] ?? 0]
    const own = ((owner[from] ?? 0) * KINDS + a) * terrain.size
    if (owner[to] === EMPTY) return (worth[own + to] ?? 0) - (worth[own + from] ?? 0)
    const fight = terrain.fights[a * KINDS + d] ?? 0
    const taken =
      (fight & DEFENDER_GONE) !== 0
        ? (worth[((owner[to] ?? 0) * KINDS + d) * terrain.size + to] ?? 0)
        : 0
    return 1 + taken - ((fight & ATTACKER_GONE) !== 0 ? (worth[own + from] ?? 0) : 0)
  }
  return moves
    .map((move) => ({ move, gain: gain(move) }))
    .sort((one, other) => other.gain - one.gain)
    .map(({ move }) => move)
}
