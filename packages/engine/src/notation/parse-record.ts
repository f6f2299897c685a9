import { isLayout, problemOfLayout } from '../layout.ts'
import { err, ok, type Result } from '../result.ts'
import { checkFormation } from '../rules/deployment.ts'
import { checkRules, type ResolvedRules } from '../rules/resolve-rules.ts'
import { isFlipGame, type RuleSet } from '../rules/rule-set.ts'
import { isSeat, type PerSeat, type Seat } from '../seat.ts'
import { END_REASONS, type Formation, type GameResult } from '../state.ts'
import { parseFormation } from './formation.ts'
import { isObject, type JsonObject, problemOfKeys } from './json.ts'
import { type ArmyRecord, type FlipRecord, type GameRecord, RECORD_FORMAT } from './record.ts'
import { parseSeal } from './seal.ts'

/** `start` is what tells where the pieces stood: formations, or the layout of a flip game (R-FLIP-10). */
const keysWith = (start: 'formations' | 'layout') => [
  'format',
  'rules',
  start,
  'first',
  'actions',
  'result',
]

/** Not in every record: older ones have none, nor have those of games that were played elsewhere. */
const OPTIONAL_KEYS = ['seal']

/** Reads a record from parsed JSON, or says what would be right. What its actions do is for `replayRecord`. */
export function parseRecord(json: unknown): Result<GameRecord, string> {
  if (!isObject(json)) return err('a record must be a JSON object')
  const start = Object.hasOwn(json, 'layout') ? 'layout' : 'formations'
  const problem = problemOfKeys('a record', json, keysWith(start), OPTIONAL_KEYS)
  if (problem !== null) return err(problem)
  if (json.format !== RECORD_FORMAT) return err(`format must be ${RECORD_FORMAT}`)
  const resolved = parseRules(json.rules)
  if (!resolved.ok) return resolved
  const { rules, ruleSet } = resolved.value
  const started = parseStart(json, ruleSet)
  if (!started.ok) return started
  const { first, actions } = json
  if (!isSeatOf(ruleSet, first)) return err(`first must be one of ${ruleSet.seats.join(', ')}`)
  if (!isStrings(actions)) return err('actions must be an array of strings')
  const result = parseResult(json.result, ruleSet)
  if (!result.ok) return result
  const sealed = parseSealIn(json, ruleSet)
  if (!sealed.ok) return sealed
  return ok({
    format: RECORD_FORMAT,
    rules,
    ...started.value,
    first,
    actions,
    result: result.value,
    ...sealed.value,
  })
}

function parseSealIn(json: JsonObject, ruleSet: RuleSet): Result<Pick<GameRecord, 'seal'>, string> {
  if (!Object.hasOwn(json, 'seal')) return ok({})
  const seal = parseSeal(json.seal, ruleSet)
  return seal.ok ? ok({ seal: seal.value }) : seal
}

const isStrings = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

const isSeatOf = (ruleSet: RuleSet, value: unknown): value is Seat =>
  isSeat(value) && ruleSet.seats.includes(value)

const areSeatsOf = (ruleSet: RuleSet, value: unknown): value is readonly Seat[] =>
  Array.isArray(value) &&
  value.every((seat) => isSeatOf(ruleSet, seat)) &&
  new Set(value).size === value.length

function parseRules(json: unknown): Result<ResolvedRules, string> {
  if (!isObject(json)) return err('rules must be an object')
  const problem = problemOfKeys('rules', json, ['preset', 'options'])
  if (problem !== null) return err(problem)
  const { preset, options } = json
  if (typeof preset !== 'string') return err('the preset of the rules must be a string')
  if (!isObject(options)) return err('the options of the rules must be an object')
  const resolved = checkRules({ preset, options })
  return resolved.ok ? resolved : err(`rules: ${resolved.error.message}`)
}

function parseStart(
  { formations, layout }: JsonObject,
  ruleSet: RuleSet,
): Result<Pick<ArmyRecord, 'formations'> | Pick<FlipRecord, 'layout'>, string> {
  if (isFlipGame(ruleSet)) return parseLayout(layout)
  if (layout !== undefined) return err('a record has formations, and layout in a flip game only')
  const parsed = parseFormations(formations, ruleSet)
  return parsed.ok ? ok({ formations: parsed.value }) : parsed
}

function parseLayout(json: unknown): Result<Pick<FlipRecord, 'layout'>, string> {
  if (json === undefined) return err('a record of a flip game has layout instead of formations')
  if (!Array.isArray(json)) return err('layout must be an array')
  return isLayout(json) ? ok({ layout: json }) : err(problemOfLayout(json) ?? '')
}

function parseFormations(json: unknown, ruleSet: RuleSet): Result<PerSeat<Formation>, string> {
  if (!isObject(json)) return err('formations must be an object')
  const problem = problemOfKeys('formations', json, ruleSet.seats)
  if (problem !== null) return err(problem)
  const formations: { [S in Seat]?: Formation } = {}
  for (const seat of ruleSet.seats) {
    const formation = parseFormationOf(ruleSet, json[seat])
    if (!formation.ok) return err(`formation of ${seat}: ${formation.error}`)
    formations[seat] = formation.value
  }
  return ok(formations)
}

function parseFormationOf(ruleSet: RuleSet, json: unknown): Result<Formation, string> {
  if (typeof json !== 'string') return err('a formation must be a string')
  const parsed = parseFormation(json)
  const problem = parsed.ok ? checkFormation(ruleSet, parsed.value) : null
  return problem === null ? parsed : err(problem)
}

function parseResult(json: unknown, ruleSet: RuleSet): Result<GameResult | null, string> {
  if (json === null) return ok(null)
  if (!isObject(json)) return err('result must be null or an object')
  const problem = problemOfKeys('result', json, ['winners', 'reason'])
  if (problem !== null) return err(problem)
  const reason = END_REASONS.find((name) => name === json.reason)
  if (reason === undefined) {
    return err(`the reason of a result must be one of ${END_REASONS.join(', ')}`)
  }
  const { winners } = json
  if (!areSeatsOf(ruleSet, winners)) {
    return err(`the winners of a result must be an array of ${ruleSet.seats.join(', ')}`)
  }
  return ok({ winners, reason })
}
