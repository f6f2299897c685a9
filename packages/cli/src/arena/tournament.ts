import { type BrainOptions, type Level, makeBrain, playGame, randomFrom } from '@junqi/bots'
import { bySeat, type EndReason, type RuleSet, type Seat } from '@junqi/engine'

/** Two levels that play many games against each other. */
export interface Pairing {
  readonly ruleSet: RuleSet
  readonly a: Level
  readonly b: Level
  readonly seed: number
  /** What `hard` may look at for one move; undefined: its own measure. */
  readonly nodes: number | undefined
}

/** How one game ended. */
export interface Outcome {
  readonly winner: 'a' | 'b' | null
  readonly reason: EndReason
  readonly moves: number
}

/** Who plays a seat in a game of a pairing: in every second one the sides are swapped. */
export function sideOf({ alliances }: RuleSet, game: number, seat: Seat): 'a' | 'b' {
  const alliance = alliances.findIndex((seats) => seats.includes(seat))
  return (alliance + game) % 2 === 0 ? 'a' : 'b'
}

/** A game of a pairing, the same whenever it is asked for. In every second one the sides are swapped. */
export function playPairing({ ruleSet, a, b, seed, nodes }: Pairing, game: number): Outcome {
  const side = (seat: Seat): 'a' | 'b' => sideOf(ruleSet, game, seat)
  const random = randomFrom(mix(seed, game))
  const options: BrainOptions = nodes === undefined ? { random } : { random, nodes }
  const brains = bySeat((seat) =>
    ruleSet.seats.includes(seat) ? makeBrain(side(seat) === 'a' ? a : b, options) : null,
  )
  const { end } = playGame({ ruleSet, brains, random })
  const winner = end.result?.winners[0]
  return {
    winner: winner === undefined ? null : side(winner),
    reason: end.result?.reason ?? 'abandoned',
    moves: end.moves,
  }
}

/** One seed of two numbers: games of one tournament share nothing with those of the next. */
const mix = (seed: number, game: number): number => Math.imul(seed, 0x9e3779b1) + game

/** Games of a pairing, counted. */
export interface Tally {
  readonly games: number
  readonly wins: number
  readonly draws: number
  readonly losses: number
  readonly moves: number
  readonly reasons: { readonly [R in EndReason]?: number }
}

export const NO_GAMES: Tally = { games: 0, wins: 0, draws: 0, losses: 0, moves: 0, reasons: {} }

/** The tally with one more game, as A sees it. */
export const withOutcome = (tally: Tally, { winner, reason, moves }: Outcome): Tally => ({
  games: tally.games + 1,
  wins: tally.wins + (winner === 'a' ? 1 : 0),
  draws: tally.draws + (winner === null ? 1 : 0),
  losses: tally.losses + (winner === 'b' ? 1 : 0),
  moves: tally.moves + moves,
  reasons: { ...tally.reasons, [reason]: (tally.reasons[reason] ?? 0) + 1 },
})

/** Points of A: a draw is half a win. */
export const pointsOf = ({ wins, draws }: Tally): number => wins + draws / 2
