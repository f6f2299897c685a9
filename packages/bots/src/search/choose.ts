import type { Move } from '@junqi/engine'
import { worldSource } from '../belief/worlds.ts'
import type { Random } from '../brain.ts'
import type { Candidate } from '../candidate.ts'
import type { Mind } from '../mind.ts'
import type { Outlook } from '../outlook.ts'
import { boardIn, makeUndo, play, stakesOf, takeBack } from './board.ts'
import { type Search, searchValue } from './search.ts'

/** So many of the moves that look best at first sight are searched. */
const CANDIDATES = 12
/** Worlds at most. */
const WORLDS = 40
/** Plies after the move, all moves looked at. */
const DEPTH = 1
/** What first sight counts beside the search: it knows what the searched worlds show to everyone. */
const FIRST_SIGHT = 0.5

interface Searching {
  readonly mind: Mind
  readonly outlook: Outlook
  readonly random: Random
  /** Positions that may be looked at. */
  readonly nodes: number
}

/** The candidates with what they are worth on the average over worlds that agree with all that was seen. */
export function searched(
  candidates: readonly Candidate[],
  { mind, outlook, random, nodes }: Searching,
): readonly Candidate[] {
  const best = [...candidates].sort((one, other) => other.score - one.score).slice(0, CANDIDATES)
  if (best.length < 2) return best
  const moves = best.map(({ move }) => coded(mind, move))
  const sums = new Float64Array(best.length)
  const stakes = stakesOf(mind, outlook)
  // The attacks of the other opponents, and one's own answer.
  const beyond = mind.opponents.length
  const draw = worldSource(mind.story, mind.odds, random)
  let left = nodes
  let worlds = 0
  while (worlds < WORLDS && left > 0) {
    const search = { board: boardIn(mind, stakes, draw()), stakes, beyond, left }
    const values = moves.map((move) => valueAfter(search, move))
    left = search.left
    // A world that the budget did not last for says less of the later moves than of the first.
    if (left < 0) break
    for (const [i, value] of values.entries()) sums[i] = (sums[i] ?? 0) + value
    worlds++
  }
  if (worlds === 0) return best
  return best.map(({ move, score }, i) => ({
    move,
    score: (sums[i] ?? 0) / worlds + FIRST_SIGHT * score,
  }))
}

/** A move by the indexes of its spaces, as `findMoves` has it. */
function coded({ terrain }: Mind, { from, to }: Move): number {
  const { indexOf } = terrain.ground.board
  return (indexOf.get(from) ?? 0) * 256 + (indexOf.get(to) ?? 0)
}

const rootUndo = makeUndo()

function valueAfter(search: Search, move: number): number {
  const { board, stakes } = search
  const before = board.score
  play(board, stakes, move, rootUndo)
  const value = searchValue(search, DEPTH, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
  takeBack(board, rootUndo)
  return value - before
}
