import {
  type Move,
  PIECES,
  type PieceKind,
  type PieceView,
  type RuleSet,
  randomFormation,
  resolveCombat,
  type SpaceId,
} from '@junqi/engine'
import type { Brain, BrainOptions } from './brain.ts'
import { flipsNow, movesNow, offerToAnswer } from './duties.ts'
import { pick } from './random.ts'

/** From this rank on an officer attacks what it does not know. */
const BOLD = 6
/** How often it turns a piece up in the flip game rather than move one. */
const CURIOSITY = 0.7

/** Legal, and takes what it can: attacks that look good on plain grounds, else any move. */
export function easyBrain({ random }: BrainOptions): Brain {
  return {
    formation: (ruleSet) => randomFormation(ruleSet, random),
    act: (sight) => {
      const offer = offerToAnswer(sight)
      if (offer !== null) return { type: 'answerDraw', offer: offer.number, accept: false }
      const moves = movesNow(sight)
      const flips = flipsNow(sight)
      if (moves.length + flips.length === 0) return null
      const pieces = new Map(sight.view.pieces.map((piece) => [piece.space, piece]))
      const wins = moves.filter((move) => promises(sight.ruleSet, pieces, move))
      if (wins.length > 0) return { type: 'move', ...pick(wins, random) }
      if (flips.length > 0 && (moves.length === 0 || random() < CURIOSITY)) {
        return { type: 'flip', space: pick(flips, random) }
      }
      const quiet = moves.filter(({ to }) => !pieces.has(to))
      return { type: 'move', ...pick(quiet.length > 0 ? quiet : moves, random) }
    },
  }
}

/** Whether a move is an attack that likely pays. */
function promises(
  ruleSet: RuleSet,
  pieces: ReadonlyMap<SpaceId, PieceView>,
  { from, to }: Move,
): boolean {
  const [attacker, target] = [pieces.get(from)?.kind, pieces.get(to)?.kind]
  if (attacker === undefined || attacker === 'hidden' || target === undefined) return false
  return target === 'hidden' ? isBold(attacker) : pays(ruleSet, attacker, target)
}

const isBold = (kind: PieceKind): boolean => PIECES[kind].rank >= BOLD

/** Against a kind that it knows: it wins, or gives a bomb for a strong officer. */
function pays(ruleSet: RuleSet, attacker: PieceKind, target: PieceKind): boolean {
  const { outcome, flagCaptured } = resolveCombat(attacker, target, ruleSet)
  if (outcome === 'attackerWins' || flagCaptured) return true
  return outcome === 'bothRemoved' && PIECES[attacker].role === 'bomb' && isBold(target)
}
