import { OUTCOMES, type Outcome, type PresetName } from '@junqi/engine'
import type { PlayerPage } from '@junqi/protocol'
import type { Tally } from '../ports.ts'
import type { Skill } from './rating.ts'

/** What a tally holds of a player (ScoreStore): its numbers by name. */
const numberIn = ({ numbers }: Tally, name: string): number => numbers[name] ?? 0

export const scoreIn = (tally: Tally): number => numberIn(tally, 'score')

export const skillIn = (tally: Tally, preset: PresetName): Skill => ({
  mu: numberIn(tally, `mu:${preset}`),
  sigma: numberIn(tally, `sigma:${preset}`),
})

/** Rated games of a preset. */
export const gamesIn = (tally: Tally, preset: PresetName): number =>
  numberIn(tally, `games:${preset}`)

/** R-SCORE-9. */
export const countsIn = (tally: Tally): PlayerPage['counts'] => ({
  played: OUTCOMES.reduce((sum, outcome) => sum + numberIn(tally, outcome), 0),
  won: numberIn(tally, 'won'),
  lost: numberIn(tally, 'lost'),
  drawn: numberIn(tally, 'drawn'),
  void: numberIn(tally, 'void'),
  escaped: numberIn(tally, 'escaped'),
})

/** What a scored game adds to one player. */
export interface Added {
  readonly preset: PresetName
  readonly outcome: Outcome
  readonly escaped: boolean
  readonly delta: number
  /** null: the game changes no rating. */
  readonly skill: Skill | null
}

export function numbersOf({ preset, outcome, escaped, delta, skill }: Added): Tally['numbers'] {
  return {
    score: delta,
    [outcome]: 1,
    ...(escaped && { escaped: 1 }),
    ...(skill !== null && {
      [`mu:${preset}`]: skill.mu,
      [`sigma:${preset}`]: skill.sigma,
      [`games:${preset}`]: 1,
    }),
  }
}
