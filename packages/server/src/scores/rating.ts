import { hasEscaped, invariant, outcomeOf, type PerSeat, type Seat } from '@junqi/engine'
import type { Rating } from '@junqi/protocol'
import { rate } from 'openskill'
import type { EndedGame } from '../outbox/ended-game.ts'

/** What everyone begins with: openskill's own. */
const MU = 25
const SIGMA = 25 / 3
const UNITS = 1_000_000

/**
 * How far a player has come from where everyone begins, in whole millionths: the sum of what its games changed, and so the
 * same in whatever order they are added. Of `sigma` it is the logarithm: each game makes it so many times as large.
 */
export interface Skill {
  readonly mu: number
  readonly sigma: number
}

interface Estimate {
  readonly mu: number
  readonly sigma: number
}

const estimateOf = (skill: Skill): Estimate => ({
  mu: MU + skill.mu / UNITS,
  sigma: SIGMA * Math.exp(skill.sigma / UNITS),
})

const round = (value: number): number => Math.round(value * 1000) / 1000

/** A rating as it is shown (R-SCORE-8). */
export function ratingOf(skill: Skill): Rating {
  const { mu, sigma } = estimateOf(skill)
  return { mu: round(mu), sigma: round(sigma), ordinal: round(mu - 3 * sigma) }
}

/** R-SCORE-8: by how much a scored game changes each player's skill in its preset. */
export function skillChanges(game: EndedGame['game'], skills: PerSeat<Skill>): PerSeat<Skill> {
  const { alliances } = game.ruleSet
  const before = alliances.map((seats) => seats.map((seat) => estimateOf(skillIn(skills, seat))))
  const rank = alliances.map((seats) => (seats.some((seat) => isWinner(game, seat)) ? 1 : 2))
  const after = rate(before, { rank })
  const changes = alliances.flatMap((seats, team) =>
    seats.map((seat, n) => {
      const [from, to] = [before[team]?.[n], after[team]?.[n]]
      invariant(from !== undefined && to !== undefined, 'a rating for each seat')
      return [seat, changeOf(from, to, { gains: !hasEscaped(game, seat) })]
    }),
  )
  return Object.fromEntries(changes)
}

const skillIn = (skills: PerSeat<Skill>, seat: Seat): Skill => skills[seat] ?? { mu: 0, sigma: 0 }

const isWinner = (game: EndedGame['game'], seat: Seat): boolean => outcomeOf(game, seat) === 'won'

function changeOf(from: Estimate, to: Estimate, { gains }: { readonly gains: boolean }): Skill {
  const mu = Math.round((to.mu - from.mu) * UNITS)
  return {
    mu: gains ? mu : Math.min(mu, 0),
    sigma: Math.round(Math.log(to.sigma / from.sigma) * UNITS),
  }
}
