import fc from 'fast-check'
import {
  applyCommand,
  boardOf,
  type GameCommand,
  type GameEvent,
  type GameState,
  invariant,
  isFlipGame,
  legalFlips,
  legalMoves,
  type Move,
  newGame,
  PRESET_NAMES,
  PRESETS,
  type PresetName,
  type RuleOptions,
  type RuleSet,
  type Rules,
  randomFormation,
  resolveRules,
  type Seat,
  seatsIn,
  shuffledLayout,
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
  const started = startOfPlay(ruleSet, random)
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

/** Where everything stands, or lies, and who begins, by chance. */
export function startOfPlay(ruleSet: RuleSet, random: () => number): RandomGame['started'] {
  const laid = isFlipGame(ruleSet)
    ? { formations: {}, layout: shuffledLayout(random) }
    : { formations: randomFormations(ruleSet, random) }
  return { type: 'gameStarted', ...laid, first: pick(ruleSet.seats, random) }
}

const randomFormations = (ruleSet: RuleSet, random: () => number) =>
  Object.fromEntries(ruleSet.seats.map((seat) => [seat, randomFormation(ruleSet, random)]))

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
  return chooseAction(state, toMove, random)
}

/** A move, or in a flip game a flip: these first, so that there is something to move. */
function chooseAction(state: GameState, seat: Seat, random: () => number): GameCommand {
  const flips = legalFlips(state, seat)
  const moves = legalMoves(state, seat).length
  if (flips.length > 0 && (moves === 0 || random() < 0.5)) {
    return { type: 'flipPiece', seat, space: pick(flips, random) }
  }
  return { type: 'movePiece', seat, ...chooseMove(state, random) }
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

/** Options that any form of the game takes, rare ones as likely as common ones. */
const commonOptions = {
  turnOrder: fc.constantFrom('clockwise', 'counterclockwise'),
  timeoutForfeit: fc.constantFrom(1, 2, null),
  quietMoveLimit: fc.constantFrom(10, 70, null),
  resignFromMove: fc.constant(0),
  leaveHeadquarters: fc.boolean(),
  leaving: fc.constantFrom('endsGame', 'forfeit'),
} as const

const flipOptions: fc.Arbitrary<RuleOptions> = fc.record(
  {
    ...commonOptions,
    flipColour: fc.constantFrom('engineer', 'twoInARow', 'first'),
    flipMines: fc.constantFrom('engineersAndBombs', 'engineers'),
    flipFlag: fc.constantFrom('smallest', 'engineer', 'any'),
  },
  { requiredKeys: [] },
)

const armyOptions: fc.Arbitrary<RuleOptions> = fc.record(
  {
    ...commonOptions,
    visibility: fc.constantFrom('allDark', 'allyOpen', 'allOpen'),
    landmine: fc.constantFrom('stands', 'mutual', 'explodes', 'repels'),
    fieldMarshalRepelled: fc.boolean(),
    bombFrontRow: fc.boolean(),
    flyingBomb: fc.boolean(),
    flagCapture: fc.constantFrom('any', 'notFieldMarshal', 'engineerOnly'),
    railTurn: fc.constantFrom('curve', 'straight', 'rightAngle'),
    engineerScout: fc.boolean(),
    fieldMarshalDeathRevealsFlag: fc.boolean(),
    eliminatedView: fc.constantFrom('own', 'public'),
  },
  { requiredKeys: [] },
)

const optionsOf = (preset: PresetName): fc.Arbitrary<RuleOptions> =>
  isFlipGame(PRESETS[preset]) ? flipOptions : armyOptions

/** A random game of any of these presets, under its own or changed rules. */
export const randomGames = (
  length: number,
  presets: readonly PresetName[] = PRESET_NAMES,
): fc.Arbitrary<RandomGame> =>
  fc
    .constantFrom(...presets)
    .chain((preset) =>
      fc.record({
        preset: fc.constant(preset),
        options: fc.oneof(fc.constant({}), optionsOf(preset)),
        seed: fc.integer(),
        length: fc.integer({ min: 1, max: length }),
      }),
    )
    .map(playRandomly)
