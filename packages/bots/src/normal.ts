import type { Move } from '@junqi/engine'
import { formationFromBook } from './book.ts'
import type { Brain, BrainOptions, Random } from './brain.ts'
import { mayAgreeToDraw } from './draw.ts'
import { movesNow, offerToAnswer } from './duties.ts'
import { mindOf } from './mind.ts'
import { outlookOf } from './outlook.ts'
import { scoresOf } from './scores.ts'

/** How far chance shifts what a move seems worth, so that no two games are alike. */
const WHIM = 0.15

/** Plays by expected value, from how likely each hidden piece is of each kind. */
export function normalBrain({ random }: BrainOptions): Brain {
  return {
    formation: (ruleSet) => formationFromBook(ruleSet, random),
    act: (sight) => {
      const offer = offerToAnswer(sight)
      const moves = movesNow(sight)
      if (offer === null && moves.length === 0) return null
      const mind = mindOf(sight)
      if (offer !== null) {
        return { type: 'answerDraw', offer: offer.number, accept: mayAgreeToDraw(mind) }
      }
      return { type: 'move', ...bestOf(moves, scoresOf(mind, outlookOf(mind), moves), random) }
    },
  }
}

function bestOf(moves: readonly Move[], scores: readonly number[], random: Random): Move {
  let best: Move | undefined
  let bestScore = Number.NEGATIVE_INFINITY
  for (const [i, move] of moves.entries()) {
    const score = (scores[i] ?? 0) + random() * WHIM
    if (best !== undefined && score <= bestScore) continue
    best = move
    bestScore = score
  }
  if (best === undefined) throw new Error('no moves')
  return best
}
