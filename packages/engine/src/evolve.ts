import { assertNever, invariant } from './assert.ts'
import type { SpaceId } from './board/board.ts'
import type { AttackOutcome, GameEvent } from './event.ts'
import { evolvePublic } from './evolve-public.ts'
import { newGame } from './new-game.ts'
import type { Piece } from './piece.ts'
import { boardOf } from './rules/ground.ts'
import type { RuleSet } from './rules/rule-set.ts'
import type { GameState } from './state.ts'

/** The game after an event. Events are facts: they are not judged here. */
export function evolve(state: GameState, event: GameEvent): GameState {
  if (event.type === 'gameStarted') return newGame(state.ruleSet, event)
  return {
    ...state,
    ...evolvePublic(state.ruleSet, state, event),
    pieces: evolvePieces(state, event),
  }
}

type Pieces = GameState['pieces']

function evolvePieces(
  { ruleSet, pieces }: GameState,
  event: Exclude<GameEvent, { type: 'gameStarted' }>,
): Pieces {
  switch (event.type) {
    case 'pieceMoved':
      return afterAttack(ruleSet, pieces, { ...event, outcome: 'attackerWins' })
    case 'pieceAttacked':
      return afterAttack(ruleSet, pieces, event)
    case 'flagRevealed':
    case 'officerScouted':
      return withShown(pieces, indexOf(ruleSet, event.space))
    case 'seatEliminated':
      return pieces.map((piece) => (piece?.seat === event.seat ? null : piece))
    case 'turnSkipped':
    case 'drawOffered':
    case 'drawAnswered':
    case 'drawLapsed':
    case 'gameEnded':
      return pieces
    default:
      return assertNever(event)
  }
}

function indexOf(ruleSet: RuleSet, space: SpaceId): number {
  const index = boardOf(ruleSet).indexOf.get(space)
  invariant(index !== undefined, `no space ${space} on this board`)
  return index
}

interface Attack {
  readonly from: SpaceId
  readonly to: SpaceId
  readonly outcome: AttackOutcome
}

/** R-FIGHT-5. A move to an empty space leaves the same picture as a won attack. */
function afterAttack(ruleSet: RuleSet, pieces: Pieces, { from, to, outcome }: Attack): Pieces {
  if (outcome === 'repelled') return pieces
  const [origin, target] = [indexOf(ruleSet, from), indexOf(ruleSet, to)]
  const after = pieces.slice()
  after[origin] = null
  if (outcome === 'attackerWins') after[target] = pieces[origin] ?? null
  if (outcome === 'bothRemoved') after[target] = null
  return after
}

function withShown(pieces: Pieces, index: number): Pieces {
  const piece: Piece | null | undefined = pieces[index]
  invariant(piece, 'nothing stands there to be shown')
  return pieces.with(index, { ...piece, shown: true })
}
