import { KINDS } from '../kinds.ts'
import { DEFENDER_GONE, FLAG_TAKEN } from '../terrain.ts'
import { VALUES } from '../values.ts'
import {
  EMPTY,
  findMoves,
  isDecided,
  makeUndo,
  play,
  type SearchBoard,
  type Stakes,
  takeBack,
} from './board.ts'

/** Moves of one position at most: lists for every depth are made once. */
const MOST_MOVES = 1024
const MOST_DEPTH = 16
const lists = Array.from({ length: MOST_DEPTH }, () => new Int32Array(MOST_MOVES))
const undos = Array.from({ length: MOST_DEPTH }, makeUndo)
const orders = Array.from({ length: MOST_DEPTH }, () => new Float64Array(MOST_MOVES))

/** A search of one world, and the positions that it may still look at. */
export interface Search {
  readonly board: SearchBoard
  readonly stakes: Stakes
  /** Attacks looked at beyond the depth. */
  readonly beyond: number
  left: number
}

/** What the position is worth to the side that plays for the score, when all play their best to the depth. */
export function searchValue(search: Search, depth: number, alpha: number, beta: number): number {
  const { board, stakes } = search
  search.left--
  if (search.left < 0 || depth <= -search.beyond || isDecided(board, stakes)) return board.score
  const quiet = depth <= 0
  const ply = depth + search.beyond
  const list = lists[ply]
  const order = orders[ply]
  const undo = undos[ply]
  if (!list || !order || !undo) return board.score
  const count = findMoves(board, stakes, list, quiet)
  if (count === 0) return quiet ? board.score : stuck(board, stakes)
  const ours = stakes.side[board.toMove] === 1
  rank(search, { list, order, count, sign: ours ? 1 : -1 })
  let best = quiet ? board.score : ours ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  let low = alpha
  let high = beta
  if (quiet) {
    if (ours) low = Math.max(low, best)
    else high = Math.min(high, best)
    if (low >= high) return best
  }
  for (let i = 0; i < count; i++) {
    bringBest(list, order, i, count)
    if (quiet && (order[i] ?? 0) <= 0) break
    play(board, stakes, list[i] ?? 0, undo)
    const value = searchValue(search, depth - 1, low, high)
    takeBack(board, undo)
    // What is found from here on is thrown away.
    if (search.left < 0) break
    if (ours ? value > best : value < best) best = value
    if (ours) low = Math.max(low, best)
    else high = Math.min(high, best)
    if (low >= high) break
  }
  return best
}

/** Who cannot move is out (R-OUT-3). */
const stuck = ({ toMove, score }: SearchBoard, { fall }: Stakes): number =>
  score + (fall[toMove] ?? 0)

interface Ranking {
  readonly list: Int32Array
  readonly order: Float64Array
  readonly count: number
  readonly sign: number
}

/** How promising each move is: what it takes, less what it gives, or how far it gets on. */
function rank({ board, stakes }: Search, { list, order, count, sign }: Ranking): void {
  const { owner, kind } = board
  const { terrain, worth } = stakes
  const { size, fights } = terrain
  for (let i = 0; i < count; i++) {
    const move = list[i] ?? 0
    const from = move >> 8
    const to = move & 255
    const moving = kind[from] ?? 0
    if (owner[to] === EMPTY) {
      const own = ((owner[from] ?? 0) * KINDS + moving) * size
      order[i] = sign * ((worth[own + to] ?? 0) - (worth[own + from] ?? 0)) - 1
      continue
    }
    const target = kind[to] ?? 0
    const fight = fights[moving * KINDS + target] ?? 0
    const taken = (fight & DEFENDER_GONE) !== 0 ? (VALUES[target] ?? 0) : 0
    const given = (fight & 1) !== 0 ? (VALUES[moving] ?? 0) : 0
    order[i] = taken - given + ((fight & FLAG_TAKEN) !== 0 ? 1000 : 0)
  }
}

/** Puts the most promising of the rest next. */
function bringBest(list: Int32Array, order: Float64Array, at: number, count: number): void {
  let best = at
  for (let i = at + 1; i < count; i++) if ((order[i] ?? 0) > (order[best] ?? 0)) best = i
  if (best === at) return
  const move = list[at] ?? 0
  const value = order[at] ?? 0
  list[at] = list[best] ?? 0
  order[at] = order[best] ?? 0
  list[best] = move
  order[best] = value
}
