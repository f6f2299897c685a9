import { COLOURS, invariant, isFlipGame } from '@junqi/engine'
import type { Action, Random, Sight } from '../brain.ts'
import { flipsNow, movesNow, offerToAnswer } from '../duties.ts'
import { KINDS } from '../kinds.ts'
import { pick } from '../random.ts'
import { terrainOf } from '../terrain.ts'
import {
  FACE_DOWN,
  type FlipBoard,
  type FlipStakes,
  flipBoardOf,
  playOn,
  put,
  takeBackOn,
  type Unseen,
  unseenIn,
} from './flip-board.ts'
import { type FlipSearch, flipValue } from './flip-search.ts'
import { flipStakesOf } from './flip-worth.ts'

/** What turning a piece up is worth by itself: it puts off having to move. */
const NEWS = 0.2
const WHIM = 0.15
/** Below this lead a draw is welcome. */
const BEHIND = -20

/** How far a brain looks in the flip game. */
export interface Foresight {
  /** Plies after its own move. */
  readonly depth: number
  /** Positions that it may look at. */
  readonly nodes: number
}

/** What a seat does in the flip game, where everything but what lies face down is open to all. */
export function flipAction(sight: Sight, random: Random, foresight: Foresight): Action | null {
  const offer = offerToAnswer(sight)
  const moves = movesNow(sight)
  const flips = flipsNow(sight)
  if (offer === null && moves.length + flips.length === 0) return null
  const game = gameOf(sight)
  if (offer !== null) {
    return {
      type: 'answerDraw',
      offer: offer.number,
      accept: game !== null && leadIn(game) < BEHIND,
    }
  }
  // Nobody has a colour yet, so no flip is better than another.
  if (game === null) return { type: 'flip', space: pick(flips, random) }
  return bestAction(game, { moves, flips }, random, foresight)
}

interface Game {
  readonly stakes: FlipStakes
  readonly board: FlipBoard
  readonly unseen: Unseen
}

/** The game as the seat's colour plays it; null: the colours are not known. */
function gameOf(sight: Sight): Game | null {
  const { ruleSet, view, seat } = sight
  const { flip } = view
  invariant(flip !== undefined && isFlipGame(ruleSet), 'a flip game')
  const colour = flip.colours?.[seat]
  if (colour === undefined) return null
  const stakes = flipStakesOf(terrainOf(ruleSet), sight, { ruleSet, flip })
  const board = flipBoardOf(sight, stakes, COLOURS.indexOf(colour))
  return { stakes, board, unseen: unseenIn(view, flip) }
}

/** What the colour to move has more on the board than the other. */
const leadIn = ({ board }: Game): number => (board.toMove === 0 ? board.score : -board.score)

interface Choice {
  readonly moves: ReturnType<typeof movesNow>
  readonly flips: ReturnType<typeof flipsNow>
}

function bestAction(
  game: Game,
  { moves, flips }: Choice,
  random: Random,
  { depth, nodes }: Foresight,
): Action {
  const { indexOf } = game.stakes.terrain.ground.board
  const index = (space: string) => indexOf.get(space) ?? 0
  let best: Action | null = null
  let most = Number.NEGATIVE_INFINITY
  const consider = (action: Action, value: number): void => {
    const whimsical = value + random() * WHIM
    if (whimsical <= most) return
    best = action
    most = whimsical
  }
  const share = Math.floor(nodes / (moves.length + flips.length))
  for (const { from, to } of moves) {
    const value = valueAfterMove(game, index(from) * 256 + index(to), depth, share)
    consider({ type: 'move', from, to }, value)
  }
  for (const space of flips) {
    consider({ type: 'flip', space }, NEWS + valueAfterFlip(game, index(space), share))
  }
  invariant(best !== null, 'nothing to choose from')
  return best
}

function valueAfterMove(
  { board, stakes }: Game,
  move: number,
  depth: number,
  left: number,
): number {
  const search: FlipSearch = { board, stakes, left }
  const undo = playOn(board, stakes, move)
  const value = -flipValue(search, depth, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
  takeBackOn(board, undo)
  return value
}

/** The average over all that may lie there, each answered by the other colour's best attack. */
function valueAfterFlip({ board, stakes, unseen }: Game, space: number, left: number): number {
  const own = board.toMove
  const before = board.score
  const kinds = unseen.flatMap((counts, colour) =>
    counts.map((count, kind) => ({ colour, kind, count })),
  )
  const all = kinds.reduce((sum, { count }) => sum + count, 0)
  let value = 0
  board.toMove = 1 - own
  board.faceDown--
  for (const { colour, kind, count } of kinds) {
    if (count === 0) continue
    put(board, stakes, space, [colour, kind])
    const shown = board.score - before
    const search = { board, stakes, left: Math.max(1, Math.floor(left / KINDS)) }
    const reply = -flipValue(search, 0, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
    // That the piece is there is no gain or loss: it was there all the time.
    value += (count / all) * (reply - (own === 0 ? shown : -shown))
    board.score = before
  }
  board.owner[space] = FACE_DOWN
  board.kind[space] = 0
  board.toMove = own
  board.faceDown++
  return value
}
