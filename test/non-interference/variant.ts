import {
  isFlipGame,
  PRESETS,
  type PresetName,
  type RuleOptions,
  type RuleSet,
  resolveRules,
} from '@junqi/engine'
import { chance, pick, type Random } from './random.ts'

export interface Variant {
  readonly options: RuleOptions
  readonly ruleSet: RuleSet
}

const OVERRIDES: Readonly<Record<string, readonly RuleOptions[keyof RuleOptions][]>> = {
  turnOrder: ['clockwise'],
  firstSeat: ['south'],
  emptyTerritory: ['open', 'closed'],
  bankSeconds: [20],
  timeoutForfeit: [1, 2, null],
  quietMoveLimit: [200, null],
  maxMoves: [999],
  resignFromMove: [0, 5],
  landmine: ['stands', 'mutual', 'explodes', 'repels'],
  fieldMarshalRepelled: [true],
  bombFrontRow: [true],
  flyingBomb: [true],
  flagCapture: ['notFieldMarshal', 'engineerOnly'],
  railTurn: ['straight', 'rightAngle'],
  leaveHeadquarters: [true],
  engineerScout: [true],
  fieldMarshalDeathRevealsFlag: [false],
  eliminatedView: ['ally', 'own', 'public'],
  leaving: ['endsGame', 'forfeit'],
}

/** Of the flip game alone. */
const FLIP_OVERRIDES: typeof OVERRIDES = {
  flipColour: ['twoInARow', 'first'],
  flipMines: ['engineers'],
  flipFlag: ['engineer', 'any'],
}

/**
 * A preset as it is, one time in three, else with options at random. Under allOpen nothing of a
 * running game is hidden: such a preset can be darkened.
 */
export function variantOf(
  preset: PresetName,
  { random, isDark }: { readonly random: Random; readonly isDark: boolean },
): Variant {
  let variant: Variant = { options: {}, ruleSet: PRESETS[preset] }
  const isOpen = PRESETS[preset].visibility === 'allOpen'
  if (isOpen && isDark) variant = overridden(preset, variant, darkness(random))
  if (chance(random, 1 / 3)) return variant
  const more = isFlipGame(PRESETS[preset]) ? FLIP_OVERRIDES : {}
  for (const [field, values] of Object.entries({ ...OVERRIDES, ...more })) {
    if (!chance(random, 0.3)) continue
    variant = overridden(preset, variant, { [field]: pick(random, values) })
  }
  return variant
}

const darkness = (random: Random): RuleOptions => ({
  visibility: chance(random, 0.5) ? 'allDark' : 'allyOpen',
})

/** With one more override, unless the preset cannot have it. */
function overridden(preset: PresetName, variant: Variant, more: RuleOptions): Variant {
  const options = { ...variant.options, ...more }
  const resolved = resolveRules({ preset, options })
  return resolved.ok ? { options, ruleSet: resolved.value } : variant
}
