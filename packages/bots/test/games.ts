import {
  applyCommand,
  bySeat,
  type Formation,
  type GameState,
  invariant,
  isFlipGame,
  isPublicEvent,
  newGame,
  PRESET_NAMES,
  PRESETS,
  type PresetName,
  type PublicEvent,
  parseMove,
  type RuleOptions,
  type RuleSet,
  resolveRules,
  type Seat,
  viewGame,
} from '@junqi/engine'
import fc from 'fast-check'
import { type Level, makeBrain, playGame, randomFrom, type Sight } from '../src/index.ts'

/** The rules of a preset with some fields changed. */
export function rulesOf(preset: PresetName, options: RuleOptions = {}): RuleSet {
  const resolved = resolveRules({ preset, options })
  invariant(resolved.ok, resolved.ok ? '' : resolved.error.message)
  return resolved.value
}

/** A game in which moves were made one after the other, and what a seat sees at its end. */
export function sightAfter(
  ruleSet: RuleSet,
  formations: { readonly [S in Seat]?: Formation },
  seat: Seat,
  ...moves: readonly string[]
): Sight {
  const first = ruleSet.seats[0] ?? 'south'
  let state = newGame(ruleSet, { type: 'gameStarted', formations, first })
  const history: PublicEvent[] = []
  for (const text of moves) {
    const move = parseMove(text)
    invariant(move.ok && state.toMove !== null, `${text} is no move`)
    const applied = applyCommand(state, { type: 'movePiece', seat: state.toMove, ...move.value })
    invariant(applied.ok, `${text} is refused`)
    history.push(...applied.value.events.filter(isPublicEvent))
    state = applied.value.state
  }
  return { ruleSet, seat, view: viewGame(state, seat), history }
}

/** What a seat sees as it is to move, and the truth. */
export interface Moment {
  readonly sight: Sight
  readonly state: GameState
}

/** Every so many turns of a game between brains of the level. */
export function momentsOf(
  ruleSet: RuleSet,
  { level = 'easy', seed, every }: { level?: Level; seed: number; every: number },
): readonly Moment[] {
  const random = randomFrom(seed)
  const moments: Moment[] = []
  playGame({
    ruleSet,
    random,
    brains: bySeat(() => makeBrain(level, { random, nodes: 50 })),
    onTurn: (sight, state) => {
      if (state.turn % every === 0) {
        moments.push({ sight: { ...sight, history: [...sight.history] }, state })
      }
    },
  })
  return moments
}

/** Options that any preset takes. */
export const anyOptions: fc.Arbitrary<RuleOptions> = fc.record(
  {
    turnOrder: fc.constantFrom('clockwise', 'counterclockwise'),
    visibility: fc.constantFrom('allDark', 'allyOpen', 'allOpen'),
    quietMoveLimit: fc.constantFrom(20, 70),
    landmine: fc.constantFrom('stands', 'mutual', 'explodes', 'repels'),
    fieldMarshalRepelled: fc.boolean(),
    bombFrontRow: fc.boolean(),
    flyingBomb: fc.boolean(),
    flagCapture: fc.constantFrom('any', 'notFieldMarshal', 'engineerOnly'),
    railTurn: fc.constantFrom('curve', 'straight', 'rightAngle'),
    leaveHeadquarters: fc.boolean(),
    engineerScout: fc.boolean(),
    fieldMarshalDeathRevealsFlag: fc.boolean(),
  },
  { requiredKeys: [] },
)

/** The presets in which armies are deployed: all but the flip game. */
export const ARMY_PRESETS = PRESET_NAMES.filter((name) => !isFlipGame(PRESETS[name]))

/** Options that the flip game takes. */
export const anyFlipOptions: fc.Arbitrary<RuleOptions> = fc.record(
  {
    flipColour: fc.constantFrom('engineer', 'twoInARow', 'first'),
    flipMines: fc.constantFrom('engineersAndBombs', 'engineers'),
    flipFlag: fc.constantFrom('smallest', 'engineer', 'any'),
    leaveHeadquarters: fc.boolean(),
    quietMoveLimit: fc.constantFrom(20, 70),
  },
  { requiredKeys: [] },
)
