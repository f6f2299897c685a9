import { invariant } from '../assert.ts'
import type { GameEvent } from '../event.ts'
import { PIECES, type Piece } from '../piece.ts'
import type { GameState } from '../state.ts'
import { resolveCombat } from './combat.ts'
import { boardOf, type Move } from './ground.ts'
import type { RuleSet } from './rule-set.ts'

/** What a legal move does by itself: the move or attack, kinds it shows, a captured flag. */
export function moveEvents(state: GameState, { from, to }: Move): readonly GameEvent[] {
  const [attacker, defender] = [pieceOn(state, from), pieceOn(state, to)]
  invariant(attacker !== null, 'nothing stands there to be moved')
  if (defender === null) return [{ type: 'pieceMoved', from, to }]
  const result = resolveCombat(attacker.kind, defender.kind, state.ruleSet)
  const fallen = [
    ...(result.attackerRemoved ? [attacker] : []),
    ...(result.defenderRemoved ? [defender] : []),
  ]
  const events: GameEvent[] = [{ type: 'pieceAttacked', from, to, outcome: result.outcome }]
  events.push(...fallen.flatMap((piece) => revealedFlag(state, piece)))
  if (result.scouted) events.push({ type: 'officerScouted', space: to, kind: defender.kind })
  if (result.flagCaptured && defender.seat !== null) {
    events.push({ type: 'seatEliminated', seat: defender.seat, reason: 'flagCaptured' })
  }
  return events
}

function pieceOn({ ruleSet, pieces }: GameState, space: string): Piece | null {
  const index = boardOf(ruleSet).indexOf.get(space)
  return index === undefined ? null : (pieces[index] ?? null)
}

const revealsFlag = (piece: Piece, { fieldMarshalDeathRevealsFlag }: RuleSet) =>
  fieldMarshalDeathRevealsFlag && PIECES[piece.kind].commands

/** R-FIGHT-8. */
function revealedFlag({ ruleSet, pieces }: GameState, fallen: Piece): GameEvent[] {
  if (!revealsFlag(fallen, ruleSet)) return []
  const index = pieces.findIndex(
    (piece) => piece?.seat === fallen.seat && PIECES[piece.kind].role === 'flag',
  )
  const space = boardOf(ruleSet).spaces[index]
  invariant(space !== undefined && fallen.seat !== null, `${fallen.seat} has no flag`)
  return [{ type: 'flagRevealed', seat: fallen.seat, space }]
}
