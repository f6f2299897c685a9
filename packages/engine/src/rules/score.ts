import { type PerSeat, SEATS, type Seat } from '../seat.ts'
import type { GameState } from '../state.ts'
import { allianceOf } from './alliance.ts'
import { PRESETS } from './presets.ts'
import type { PresetName, RuleSet } from './rule-set.ts'

/** What a result is worth, to each who wins and to each who loses. */
interface Stakes {
  readonly winner: number
  readonly loser: number
  /** R-SCORE-2: so many moves must have been made for a win to count. */
  readonly leastMoves: number
}

/** R-SCORE-1, R-SCORE-2. */
function stakesOf({ seats, alliances }: RuleSet): Stakes {
  if (seats.length === 2) return { winner: 1, loser: -1, leastMoves: 30 }
  const isAlone = alliances.every(({ length }) => length === 1)
  return { winner: 2, loser: isAlone ? -1 : -2, leastMoves: 40 }
}

/** R-SCORE-5: what may differ from the preset in a scored game. */
const CLOCK_FIELDS: readonly string[] = ['turnSeconds', 'bankSeconds', 'deploymentSeconds']

/** Whether rules are a preset's own, but for the clocks (R-SCORE-5). */
export function isPresetsOwn(preset: PresetName, ruleSet: RuleSet): boolean {
  const own = new Map<string, unknown>(Object.entries(PRESETS[preset]))
  const fields = new Map<string, unknown>(Object.entries(ruleSet))
  return [...new Set([...own.keys(), ...fields.keys()])].every(
    (field) =>
      CLOCK_FIELDS.includes(field) ||
      JSON.stringify(own.get(field)) === JSON.stringify(fields.get(field)),
  )
}

/** What is known of a game before it is played, and tells whether it counts. */
export interface Setting {
  readonly preset: PresetName
  readonly ruleSet: RuleSet
  /** Whether a bot sits in it. */
  readonly hasBot: boolean
}

/** Whether a game is scored and rated (R-SCORE-5, R-SCORE-7); else it is a friendly game. */
export const isScored = ({ preset, ruleSet, hasBot }: Setting): boolean =>
  ruleSet.scoring === 'qq' && !hasBot && isPresetsOwn(preset, ruleSet)

/** What is known of a game after its end. */
export type Finished = Pick<GameState, 'ruleSet' | 'seats' | 'moves' | 'result'>

/** How a game ended for a seat; `void`: it was ended by leaving, for nobody and against nobody (R-OUT-7). */
export const OUTCOMES = ['won', 'lost', 'drawn', 'void'] as const
export type Outcome = (typeof OUTCOMES)[number]

export function outcomeOf({ result }: Pick<Finished, 'result'>, seat: Seat): Outcome | null {
  if (result === null) return null
  if (result.winners.length > 0) return result.winners.includes(seat) ? 'won' : 'lost'
  return result.reason === 'left' ? 'void' : 'drawn'
}

/** Whether the player on a seat ran away from the game (R-OUT-7): a lost connection is not that, nor are timeouts. */
export const hasEscaped = ({ seats }: Pick<Finished, 'seats'>, seat: Seat): boolean =>
  seats[seat]?.out === 'left'

/** By how much a scored game changes the scores, which were `scores` before (R-SCORE-1 to R-SCORE-4). */
export function scoreChanges(game: Finished, scores: PerSeat<number>): PerSeat<number> {
  const seats = SEATS.filter((seat) => game.ruleSet.seats.includes(seat))
  return Object.fromEntries(seats.map((seat) => [seat, changeOf(game, seat, scores)]))
}

function changeOf(game: Finished, seat: Seat, scores: PerSeat<number>): number {
  const { winner, loser, leastMoves } = stakesOf(game.ruleSet)
  switch (outcomeOf(game, seat)) {
    case 'won': {
      // R-SCORE-2.
      const isTooShort = game.moves < leastMoves
      const gainsNothing = isTooShort || hasEscaped(game, seat) || isAboveFloor(game, seat, scores)
      return gainsNothing ? 0 : winner
    }
    case 'lost':
      return loser
    default:
      // A draw (R-SCORE-1), or R-SCORE-4.
      return 0
  }
}

/** R-SCORE-3: above the floor, with an opponent below it. */
function isAboveFloor({ ruleSet }: Finished, seat: Seat, scores: PerSeat<number>): boolean {
  const { scoreFloor } = ruleSet
  const own = scores[seat] ?? 0
  if (scoreFloor === null || own <= scoreFloor) return false
  const friends = allianceOf(ruleSet, seat)
  return ruleSet.seats.some(
    (other) => !friends.includes(other) && (scores[other] ?? 0) < scoreFloor,
  )
}
