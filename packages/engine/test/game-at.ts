import {
  applyCommand,
  boardOf,
  type GameCommand,
  type GameEvent,
  type GameState,
  invariant,
  isSeat,
  kindOfSymbol,
  newGame,
  type Piece,
  parseMove,
  parsePosition,
  type RuleOptions,
  type RuleSet,
  resolveRules,
  SEATS,
  type Seat,
} from '../src/index.ts'

/** A formation that every rule set allows. */
export const FORMATION = '963175358137B246L2LB4FL21'

/** The rules of a preset with some fields changed. */
export function rulesOf(preset: string, options: RuleOptions = {}): RuleSet {
  const resolved = resolveRules({ preset, options })
  invariant(resolved.ok, resolved.ok ? '' : resolved.error.message)
  return resolved.value
}

/** A game at its start, every seat with the same formation. */
export function startedGame(ruleSet: RuleSet, first: Seat = 'south'): GameState {
  const formations = Object.fromEntries(ruleSet.seats.map((seat) => [seat, FORMATION]))
  return newGame(ruleSet, { type: 'gameStarted', formations, first })
}

/** A game that stands as drawn, `seat` to move; each piece has the id of where it stands. */
export function gameAt(ruleSet: RuleSet, seat: Seat, drawing: string): GameState {
  const { spaces } = boardOf(ruleSet)
  const position = parsePosition(boardOf(ruleSet), drawing)
  invariant(position.ok, position.ok ? '' : position.error)
  const pieces = position.value.map((drawn, index): Piece | null => {
    if (drawn === null) return null
    invariant(drawn.kind !== 'hidden' && drawn.seat, `what stands on ${spaces[index]}?`)
    return pieceOn(drawn.seat, spaces[index] ?? '', drawn.kind)
  })
  return { ...startedGame(ruleSet, seat), pieces }
}

/** The same from a list: `S 9a6 Fb1 / N 3a7 Fd12` is two armies of two pieces. */
export function gameOf(ruleSet: RuleSet, seat: Seat, armies: string): GameState {
  const { spaces, indexOf } = boardOf(ruleSet)
  const pieces: (Piece | null)[] = spaces.map(() => null)
  for (const army of armies.split(' / ')) {
    const [letter, ...names] = army.trim().split(/\s+/)
    const owner = SEATS.find((name) => name.startsWith((letter ?? '').toLowerCase()))
    for (const name of names) {
      const kind = kindOfSymbol(name.charAt(0))
      const index = indexOf.get(name.slice(1))
      invariant(owner && kind && index !== undefined, `no piece ${name} of ${letter}`)
      pieces[index] = pieceOn(owner, name.slice(1), kind)
    }
  }
  return { ...startedGame(ruleSet, seat), pieces }
}

const pieceOn = (seat: Seat, space: string, kind: Piece['kind']): Piece => ({
  id: `${seat}:${space}`,
  seat,
  kind,
  shown: false,
})

/** An action as a record has it, or `offer south`, `yes east`, `no east`. */
export function commandFor(state: GameState, action: string): GameCommand {
  const [verb = '', seat] = action.split(' ')
  if (verb === 'flip') {
    invariant(state.toMove, 'nobody is to move')
    return { type: 'flipPiece', seat: state.toMove, space: seat ?? '' }
  }
  const move = parseMove(action)
  if (move.ok) {
    invariant(state.toMove, 'nobody is to move')
    return { type: 'movePiece', seat: state.toMove, ...move.value }
  }
  if (action === 'draw agreed') return { type: 'agreeDraw' }
  invariant(isSeat(seat), `no seat in ${action}`)
  if (verb === 'offer') return { type: 'offerDraw', seat }
  if (verb === 'yes' || verb === 'no') {
    return { type: 'answerDraw', seat, offer: state.offers, accept: verb === 'yes' }
  }
  invariant(verb === 'timeout' || verb === 'resign' || verb === 'leave', `no action ${action}`)
  return { type: verb, seat }
}

/** Plays actions one after the other; all must be legal. */
export function play(start: GameState, ...actions: readonly string[]) {
  let state = start
  const events: GameEvent[] = []
  for (const action of actions) {
    const applied = applyCommand(state, commandFor(state, action))
    invariant(applied.ok, applied.ok ? '' : `${action}: ${applied.error.code}`)
    events.push(...applied.value.events)
    state = applied.value.state
  }
  return { state, events }
}

/** The code of the refusal of an action, or null where it is accepted. */
export function refusal(state: GameState, action: string): string | null {
  const applied = applyCommand(state, commandFor(state, action))
  return applied.ok ? null : applied.error.code
}

/** What stands where, as text: `S9`, or null. */
export function pieceAt({ ruleSet, pieces }: GameState, space: string): Piece | null {
  return pieces[boardOf(ruleSet).indexOf.get(space) ?? -1] ?? null
}
