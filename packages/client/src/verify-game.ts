import {
  type GameRecord,
  type GameResult,
  type PerSealed,
  replayRecord,
  SEALABLES,
  type Sealable,
  sealedIn,
  startOf,
} from '@junqi/engine'
import { commitmentTo } from '@junqi/protocol'

/** What is checked of a game: what was done in it, what came of it, and what was sealed at its start. */
export type Checked = 'actions' | 'result' | 'seal' | Sealable

export type Flaw =
  | { readonly code: 'illegalAction'; readonly n: number; readonly action: string }
  /** The actions lead to this one. */
  | { readonly code: 'otherResult'; readonly result: GameResult | null }
  /** The record has no seal: nothing shows that it is what was played. */
  | { readonly code: 'notSealed' }
  /** The record's own commitment is to something else. */
  | { readonly code: 'otherThanSealed' }
  /** At the start another commitment was told than the record has. */
  | { readonly code: 'otherThanTold' }

export interface Finding {
  readonly checked: Checked
  /** null: it holds. */
  readonly flaw: Flaw | null
}

export interface GameCheck {
  /** Whether all of it holds. */
  readonly holds: boolean
  readonly findings: readonly Finding[]
}

/**
 * Whether the game shown is the game that was played (R-SEAL-3): its actions are legal and lead to its result, and what it
 * began with is what was sealed then. `told`: the commitments as they were told at the start; null: they are not known, and
 * the record's own are believed.
 */
export function verifyGame(record: GameRecord, told: PerSealed | null): GameCheck {
  const findings = [...checkActions(record), ...checkSeal(record, told)]
  return { holds: findings.every(({ flaw }) => flaw === null), findings }
}

function checkActions(record: GameRecord): readonly Finding[] {
  const replayed = replayRecord(record)
  if (!replayed.ok) return [flawed('actions', { code: 'illegalAction', ...replayed.error })]
  const { result } = replayed.value.state
  const isOther = textOf(result) !== textOf(record.result)
  return [
    holding('actions'),
    isOther ? flawed('result', { code: 'otherResult', result }) : holding('result'),
  ]
}

function checkSeal(record: GameRecord, told: PerSealed | null): readonly Finding[] {
  const { seal } = record
  if (seal === undefined) return [flawed('seal', { code: 'notSealed' })]
  const { ruleSet, started } = startOf(record)
  const names = new Set([...sealedIn(ruleSet), ...namesIn(told ?? {})])
  return [...names].map((name) => {
    const [commitment, salt] = [seal.commitments[name], seal.salts[name]]
    if (told !== null && told[name] !== commitment) return flawed(name, { code: 'otherThanTold' })
    const isKept = salt !== undefined && commitmentTo(name, started, salt) === commitment
    return isKept ? holding(name) : flawed(name, { code: 'otherThanSealed' })
  })
}

const namesIn = (told: PerSealed): readonly Sealable[] =>
  SEALABLES.filter((name) => told[name] !== undefined)

const holding = (checked: Checked): Finding => ({ checked, flaw: null })

const flawed = (checked: Checked, flaw: Flaw): Finding => ({ checked, flaw })

const textOf = (result: GameResult | null): string =>
  JSON.stringify(result && [result.winners, result.reason])
