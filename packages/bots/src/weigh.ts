import { invariant, isFlipGame, type Move } from '@junqi/engine'
import { formationFromBook } from './book.ts'
import type { Action, Brain, Random, Sight } from './brain.ts'
import type { Candidate } from './candidate.ts'
import { mayAgreeToDraw } from './draw.ts'
import { movesNow, offerToAnswer } from './duties.ts'
import { type Foresight, flipAction } from './flip/flip-brain.ts'
import { type Mind, mindOf } from './mind.ts'
import { type Outlook, outlookOf } from './outlook.ts'
import { scoresOf } from './scores.ts'

/** How far chance shifts what a move seems worth, so that no two games are alike. */
const WHIM = 0.15

type Ponder = (
  candidates: readonly Candidate[],
  mind: Mind,
  outlook: Outlook,
) => readonly Candidate[]

/**
 * A brain that weighs every move at first sight, ponders, and takes the one that is worth most then.
 * In the flip game, which hides nothing from one that it shows to the other, it looks ahead instead.
 */
export function weighingBrain(random: Random, foresight: Foresight, ponder: Ponder): Brain {
  const act = (sight: Sight): Action | null => {
    if (isFlipGame(sight.ruleSet)) return flipAction(sight, random, foresight)
    const offer = offerToAnswer(sight)
    const moves = movesNow(sight)
    if (offer === null && moves.length === 0) return null
    const mind = mindOf(sight)
    if (offer !== null) {
      return { type: 'answerDraw', offer: offer.number, accept: mayAgreeToDraw(mind) }
    }
    const outlook = outlookOf(mind)
    const scores = scoresOf(mind, outlook, moves)
    const candidates = moves.map((move, i) => ({
      move,
      score: (scores[i] ?? 0) + random() * WHIM,
    }))
    return { type: 'move', ...bestOf(ponder(candidates, mind, outlook)) }
  }
  return { formation: (ruleSet) => formationFromBook(ruleSet, random), act }
}

function bestOf(candidates: readonly Candidate[]): Move {
  const [first, ...rest] = candidates
  invariant(first !== undefined, 'nothing to choose from')
  return rest.reduce((best, other) => (other.score > best.score ? other : best), first).move
}
