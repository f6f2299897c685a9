import fc from 'fast-check'
import {
  applyCommand,
  boardOf,
  type GameCommand,
  type GameEvent,
  type GameState,
  invariant,
  legalMoves,
  type Move,
  newGame,
  PRESET_NAMES,
  type PresetName,
  type RuleOptions,
  type Rules,
  randomFormation,
  resolveRules,
  seatsIn,
} from '../src/index.ts'

/** One command of a game: what it met, what it did. */
export interface Step {
  readonly before: GameState
  readonly command: GameCommand
  readonly events: readonly GameEvent[]
  readonly after: GameState
}

/** A game that was played at random. */
export interface RandomGame {
  readonly rules: Rules
  readonly started: Extract<GameEvent, { type: 'gameStarted' }>
  readonly start: GameState
  readonly steps: readonly Step[]
  readonly end: GameState
}

/** Numbers from 0 up to 1 from a seed (mulberry32): games can be told by their seed. */
export function randomFrom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

export interface GameSeed {
  readonly preset: PresetName
  readonly options: RuleOptions
  readonly seed: number
  /** At most so many commands. */
  readonly length: number
}

/** Games are short where much goes out of play: attacks come first, and now and then something rarer. */
export function playRandomly({ preset, options, seed, length }: GameSeed): RandomGame {
  const rules = { preset, options }
  const resolved = resolveRules(rules)
  invariant(resolved.ok, resolved.ok ? '' : resolved.error.message)
  const ruleSet = resolved.value
  const random = randomFrom(seed)
  const formations = Object.fromEntries(
    ruleSet.seats.map((seat) => [seat, randomFormation(ruleSet, random)]),
  )
  const first = pick(ruleSet.seats, random)
  const started = { type: 'gameStarted', formations, first } as const
  const start = newGame(ruleSet, started)
  const steps: Step[] = []
  let state = start
  while (steps.length < length && state.result === null) {
    const command = chooseCommand(state, random)
    const applied = applyCommand(state, command)
    if (!applied.ok) continue
    steps.push({ before: state, command, events: applied.value.events, after: applied.value.state })
    state = applied.value.state
  }
  return { rules, started, start, steps, end: state }
}

function pick<T>(items: readonly T[], random: () => number): T {
  const item = items[Math.floor(random() * items.length)]
  invariant(item !== undefined, 'nothing to pick from')
  return item
}

function chooseCommand(state: GameState, random: () => number): GameCommand {
  const toMove = state.toMove
  invariant(toMove !== null, 'nobody is to move')
  const seat = pick(seatsIn(state.seats), random)
  const roll = random()
  if (roll < 0.02) return { type: 'timeout', seat: toMove }
  if (roll < 0.024) return { type: 'resign', seat: toMove }
  if (roll < 0.027) return { type: 'leave', seat }
  if (roll < 0.05) return { type: 'offerDraw', seat }
  if (roll < 0.1 && state.offer !== null) {
    return { type: 'answerDraw', seat, offer: state.offer.number, accept: random() < 0.7 }
  }
  return { type: 'movePiece', seat: toMove, ...chooseMove(state, random) }
}

function chooseMove(state: GameState, random: () => number): Move {
  const occupied = new Set(viewedSpaces(state))
  const moves = state.toMove === null ? [] : legalMoves(state, state.toMove)
  const attacks = moves.filter(({ to }) => occupied.has(to))
  return pick(attacks.length > 0 && random() < 0.6 ? attacks : moves, random)
}

function viewedSpaces({ pieces, ruleSet }: GameState): readonly string[] {
  const { spaces } = boardOf(ruleSet)
  return spaces.filter((_, index) => pieces[index] !== null)
}

/** Options that any preset takes, rare ones as likely as common ones. */
const anyOptions: fc.Arbitrary<RuleOptions> = fc.record(
  {
    turnOrder: fc.constantFrom('clockwise', 'counterclockwise'),
    visibility: fc.constantFrom('allDark', 'allyOpen', 'allOpen'),
    timeoutForfeit: fc.constantFrom(1, 2, null),
    quietMoveLimit: fc.constantFrom(10, 70, null),
    resignFromMove: fc.constant(0),
    landmine: fc.constantFrom('stands', 'mutual', 'explodes', 'repels'),
    fieldMarshalRepelled: fc.boolean(),
    bombFrontRow: fc.boolean(),
    flyingBomb: fc.boolean(),
    flagCapture: fc.constantFrom('any', 'notFieldMarshal', 'engineerOnly'),
    railTurn: fc.constantFrom('curve', 'straight', 'rightAngle'),
    leaveHeadquarters: fc.boolean(),
    engineerScout: fc.boolean(),
    fieldMarshalDeathRevealsFlag: fc.boolean(),
    eliminatedView: fc.constantFrom('own', 'public'),
    leaving: fc.constantFrom('endsGame', 'forfeit'),
  },
  { requiredKeys: [] },
)

/** A random game of any preset, under its own or changed rules. */
export const randomGames = (length: number): fc.Arbitrary<RandomGame> =>
  fc
    .record({
      preset: fc.constantFrom(...PRESET_NAMES),
      options: fc.oneof(fc.constant({}), anyOptions),
      seed: fc.integer(),
      length: fc.integer({ min: 1, max: length }),
    })
    .map(playRandomly)
