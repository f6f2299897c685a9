import { invariant } from '../assert.ts'
import type { GameStarted } from '../new-game.ts'
import { err, ok, type Result } from '../result.ts'
import { isFlipGame, type RuleSet } from '../rules/rule-set.ts'
import { SEATS } from '../seat.ts'
import { isObject, problemOfKeys } from './json.ts'

/** What may be under a seal: the formation of each seat or the layout of a flip game, and who makes the first turn. */
export const SEALABLES = [...SEATS, 'layout', 'first'] as const
export type Sealable = (typeof SEALABLES)[number]

/** A commitment or a salt, 32 bytes in lower-case hex, for each thing under a seal. */
export type PerSealed = { readonly [Name in Sealable]?: string }

/** What a game was sealed with at its start (R-SEAL-1); the salts are secret until it has ended (R-SEAL-2). */
export interface Seal {
  readonly commitments: PerSealed
  readonly salts: PerSealed
}

/** What is under the seal of a game by these rules. */
export const sealedIn = (ruleSet: RuleSet): readonly Sealable[] =>
  isFlipGame(ruleSet) ? ['layout', 'first'] : [...ruleSet.seats, 'first']

type Start = Pick<GameStarted, 'formations' | 'layout' | 'first'>

/** The text that a commitment is to (R-SEAL-1). It names what it tells, so that no commitment passes for another. */
export const sealedText = (name: Sealable, start: Start): string =>
  `junqi-seal/1 ${name} ${valueUnder(name, start)}`

function valueUnder(name: Sealable, { formations, layout, first }: Start): string {
  switch (name) {
    case 'first':
      return first
    case 'layout':
      invariant(layout !== undefined, 'only a flip game has a layout')
      return layout.join('')
    default: {
      const formation = formations[name]
      invariant(formation !== undefined, `${name} has no formation`)
      return formation
    }
  }
}

const SEAL_KEYS = ['commitments', 'salts'] as const
const HEX = /^[0-9a-f]{64}$/

/** Reads the seal of a record, or says what would be right. Whether it holds is not asked here. */
export function parseSeal(json: unknown, ruleSet: RuleSet): Result<Seal, string> {
  if (!isObject(json)) return err('the seal must be an object')
  const problem = problemOfKeys('the seal', json, SEAL_KEYS)
  if (problem !== null) return err(problem)
  const names = sealedIn(ruleSet)
  const commitments = parsePerSealed('the commitments of the seal', json.commitments, names)
  if (!commitments.ok) return commitments
  const salts = parsePerSealed('the salts of the seal', json.salts, names)
  return salts.ok ? ok({ commitments: commitments.value, salts: salts.value }) : salts
}

function parsePerSealed(
  what: string,
  json: unknown,
  names: readonly Sealable[],
): Result<PerSealed, string> {
  if (!isObject(json)) return err(`${what} must be an object`)
  const problem = problemOfKeys(what, json, names)
  if (problem !== null) return err(problem)
  const parsed: { [Name in Sealable]?: string } = {}
  for (const name of names) {
    const value = json[name]
    if (typeof value !== 'string' || !HEX.test(value)) {
      return err(`${what}: ${name} must be 64 digits of lower-case hex`)
    }
    parsed[name] = value
  }
  return ok(parsed)
}
