import {
  boardOf,
  type GameState,
  invariant,
  newGame,
  type Piece,
  parsePosition,
  type RuleSet,
  type Seat,
} from '../src/index.ts'

const FORMATION = '963175358137B246L2LB4FL21'

/** A game that stands as drawn, `seat` to move; each piece has the id of where it stands. */
export function gameAt(ruleSet: RuleSet, seat: Seat, drawing: string): GameState {
  const { spaces } = boardOf(ruleSet)
  const position = parsePosition(boardOf(ruleSet), drawing)
  invariant(position.ok, position.ok ? '' : position.error)
  const pieces = position.value.map((drawn, index): Piece | null => {
    if (drawn === null) return null
    invariant(drawn.kind !== 'hidden', `what stands on ${spaces[index]}?`)
    return {
      id: `${drawn.seat}:${spaces[index]}`,
      seat: drawn.seat,
      kind: drawn.kind,
      shown: false,
    }
  })
  const formations = Object.fromEntries(ruleSet.seats.map((name) => [name, FORMATION]))
  return { ...newGame(ruleSet, { type: 'gameStarted', formations, first: seat }), pieces }
}
