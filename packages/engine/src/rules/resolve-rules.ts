import { err, ok, type Result } from '../result.ts'
import { SEATS } from '../seat.ts'
import { PRESETS } from './presets.ts'
import {
  isFlipGame,
  PRESET_NAMES,
  type PresetName,
  type RuleOptions,
  type RuleSet,
  type Rules,
  type RulesError,
} from './rule-set.ts'

type Field = keyof RuleOptions

/** What a field may hold. */
export type RuleDomain =
  | { readonly oneOf: readonly (string | boolean)[] }
  | { readonly min: number; readonly max: number; readonly orNull: boolean }

const BOOLEAN: RuleDomain = { oneOf: [true, false] }
const integer = (min: number, max: number): RuleDomain => ({ min, max, orNull: false })
const integerOrNull = (min: number, max: number): RuleDomain => ({ min, max, orNull: true })

/** What each field may hold by itself; what the fields must be to one another is for `checkRules` to say. */
export const RULE_DOMAINS: Readonly<Record<Field, RuleDomain>> = {
  visibility: { oneOf: ['allDark', 'allyOpen', 'allOpen'] },
  turnOrder: { oneOf: ['counterclockwise', 'clockwise'] },
  firstSeat: { oneOf: [...SEATS, 'random'] },
  emptyTerritory: { oneOf: ['open', 'closed'] },
  turnSeconds: integer(5, 600),
  bankSeconds: integer(0, 3600),
  deploymentSeconds: integer(10, 1800),
  timeoutForfeit: integerOrNull(1, 99),
  quietMoveLimit: integerOrNull(1, 999),
  maxMoves: integerOrNull(1, 999),
  resignFromMove: integer(0, 200),
  landmine: { oneOf: ['stands', 'mutual', 'explodes', 'repels'] },
  fieldMarshalRepelled: BOOLEAN,
  bombFrontRow: BOOLEAN,
  flyingBomb: BOOLEAN,
  flagCapture: { oneOf: ['any', 'notFieldMarshal', 'engineerOnly'] },
  railTurn: { oneOf: ['curve', 'straight', 'rightAngle'] },
  leaveHeadquarters: BOOLEAN,
  engineerScout: BOOLEAN,
  fieldMarshalDeathRevealsFlag: BOOLEAN,
  eliminatedView: { oneOf: ['ally', 'own', 'public'] },
  leaving: { oneOf: ['endsGame', 'forfeit'] },
  flipColour: { oneOf: ['engineer', 'twoInARow', 'first'] },
  flipMines: { oneOf: ['engineersAndBombs', 'engineers'] },
  flipFlag: { oneOf: ['smallest', 'engineer', 'any'] },
  scoring: { oneOf: ['qq', 'none'] },
  scoreFloor: integerOrNull(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
}

const FIXED = ['board', 'seats', 'alliances']
const FLIP_FIELDS = ['flipColour', 'flipMines', 'flipFlag']
/** What R-FLIP says in their stead, or leaves no room for. */
const NOT_IN_FLIP = [
  'visibility',
  'landmine',
  'fieldMarshalRepelled',
  'bombFrontRow',
  'flyingBomb',
  'flagCapture',
  'engineerScout',
  'fieldMarshalDeathRevealsFlag',
  'eliminatedView',
  'deploymentSeconds',
]

/** Rules as someone asks for them: nothing about them is checked yet. */
export interface RequestedRules {
  readonly preset: string
  readonly options: Readonly<Record<string, unknown>>
}

const isPresetName = (name: string): name is PresetName =>
  PRESET_NAMES.some((preset) => preset === name)

/** Rules that were checked, and the rule set they stand for. */
export interface ResolvedRules {
  readonly rules: Rules
  readonly ruleSet: RuleSet
}

/** The rule set that a preset with overridden fields stands for, or the first field that cannot be. */
export function resolveRules(requested: RequestedRules): Result<RuleSet, RulesError> {
  const resolved = checkRules(requested)
  return resolved.ok ? ok(resolved.value.ruleSet) : resolved
}

/** `resolveRules` that hands back the checked rules as well. */
export function checkRules({ preset, options }: RequestedRules): Result<ResolvedRules, RulesError> {
  if (!isPresetName(preset)) return refuse('preset', `must be one of ${PRESET_NAMES.join(', ')}`)
  for (const [field, value] of Object.entries(options)) {
    const problem = problemOfField(field, value)
    if (problem !== null) return refuse(field, problem)
  }
  for (const field of Object.keys(options)) {
    const problem = problemOfForm(PRESETS[preset], field)
    if (problem !== null) return refuse(field, problem)
  }
  if (!areOptions(options)) return refuse('options', 'must be an object of RuleSet fields')
  const ruleSet = { ...PRESETS[preset], ...options }
  return problemTogether(ruleSet, options) ?? ok({ rules: { preset, options }, ruleSet })
}

interface Err<E> {
  readonly ok: false
  readonly error: E
}

const refuse = (field: string, right: string): Err<RulesError> =>
  err({ field, message: `${field} ${right}` })

const isField = (name: string): name is Field => Object.hasOwn(RULE_DOMAINS, name)

/** Every value of the right kind and in range; `problemOfField` says what is wrong with one that is not. */
const areOptions = (options: Readonly<Record<string, unknown>>): options is RuleOptions =>
  Object.entries(options).every(([field, value]) => problemOfField(field, value) === null)

function problemOfField(field: string, value: unknown): string | null {
  if (isField(field)) return problemOfValue(RULE_DOMAINS[field], value)
  if (FIXED.includes(field)) return 'is fixed by the preset and cannot be overridden'
  return `is not a field of the rules; the fields are ${Object.keys(RULE_DOMAINS).join(', ')}`
}

/** Whether the form of the game, flip or not, has this field. */
function problemOfForm(preset: RuleSet, field: string): string | null {
  if (isFlipGame(preset)) {
    return NOT_IN_FLIP.includes(field) ? 'is not for the flip game and must be left out' : null
  }
  return FLIP_FIELDS.includes(field) ? 'belongs to the flip game only and must be left out' : null
}

function problemOfValue(domain: RuleDomain, value: unknown): string | null {
  if ('oneOf' in domain) {
    return domain.oneOf.some((allowed) => allowed === value)
      ? null
      : `must be one of ${domain.oneOf.join(', ')}`
  }
  if (value === null && domain.orNull) return null
  if (Number.isInteger(value) && Number(value) >= domain.min && Number(value) <= domain.max) {
    return null
  }
  const range = domain.max === Number.MAX_SAFE_INTEGER ? '' : ` from ${domain.min} to ${domain.max}`
  return `must be an integer${range}${domain.orNull ? ' or null' : ''}`
}

/** What the fields must be to one another. */
function problemTogether(rules: RuleSet, options: RuleOptions): Err<RulesError> | null {
  const territories = rules.board === 'siguo' ? SEATS.length : 2
  if (options.emptyTerritory !== undefined && rules.seats.length === territories) {
    return refuse('emptyTerritory', 'must be left out where every territory has a seat')
  }
  if (rules.firstSeat !== 'random' && !rules.seats.includes(rules.firstSeat)) {
    return refuse('firstSeat', `must be one of ${rules.seats.join(', ')}, random`)
  }
  if (isFlipGame(rules) && rules.railTurn !== 'straight') {
    return refuse('railTurn', 'must be straight in the flip game')
  }
  if (rules.maxMoves !== null && rules.resignFromMove > rules.maxMoves) {
    return refuse('resignFromMove', `must not be above maxMoves, ${rules.maxMoves}`)
  }
  if (rules.eliminatedView === 'ally' && rules.alliances.every(({ length }) => length === 1)) {
    return refuse('eliminatedView', 'must be own or public where nobody has an ally')
  }
  return null
}
