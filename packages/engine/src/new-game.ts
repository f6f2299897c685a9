import { invariant } from './assert.ts'
import type { GameEvent } from './event.ts'
import { FRESH_FLIP } from './evolve-flip.ts'
import { freshPublicState } from './evolve-public.ts'
import { kindOfSymbol, type Piece } from './piece.ts'
import { piecesFaceDown } from './rules/flip-board.ts'
import { boardOf } from './rules/ground.ts'
import { isFlipGame, type RuleSet } from './rules/rule-set.ts'
import { bySeat } from './seat.ts'
import type { GameState } from './state.ts'

export type GameStarted = Extract<GameEvent, { type: 'gameStarted' }>

/** The game as play starts: every army on its own ground (R-DEPLOY-1), or all face down (R-FLIP-1). */
export function newGame(ruleSet: RuleSet, started: GameStarted): GameState {
  const { layout = null, formations, first } = started
  invariant((layout !== null) === isFlipGame(ruleSet), 'a flip game has a layout, others have none')
  return {
    ...freshPublicState(ruleSet, first),
    ruleSet,
    formations: bySeat((seat) => formations[seat] ?? null),
    flip: layout && FRESH_FLIP,
    layout,
    pieces: layout ? piecesFaceDown(boardOf(ruleSet), layout) : deployedPieces(ruleSet, started),
  }
}

function deployedPieces(ruleSet: RuleSet, { formations }: GameStarted): (Piece | null)[] {
  const board = boardOf(ruleSet)
  const pieces: (Piece | null)[] = board.spaces.map(() => null)
  for (const seat of ruleSet.seats) {
    const formation = formations[seat]
    invariant(formation !== undefined, `${seat} has no formation`)
    board.homes[seat]?.forEach((index, i) => {
      const kind = kindOfSymbol(formation.charAt(i))
      invariant(kind !== null, `${seat}'s formation has no piece ${i}`)
      pieces[index] = { id: `${seat}:${board.spaces[index]}`, seat, kind, shown: false }
    })
  }
  return pieces
}
