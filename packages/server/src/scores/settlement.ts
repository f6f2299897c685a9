import {
  END_REASONS,
  hasEscaped,
  invariant,
  isScored,
  OUTCOMES,
  outcomeOf,
  type PerSeat,
  PRESET_NAMES,
  SEATS,
  type Seat,
  scoreChanges,
} from '@junqi/engine'
import { BOT_LEVELS, type Player, playerId } from '@junqi/protocol'
import { z } from 'zod'
import type { EndedGame } from '../outbox/ended-game.ts'
import type { Tally } from '../ports.ts'
import { type Skill, skillChanges } from './rating.ts'
import { scoreIn, skillIn } from './tally.ts'

const player = z.strictObject({
  id: playerId,
  name: z.string(),
  bot: z.enum(BOT_LEVELS).exactOptional(),
})
const skill = z.strictObject({ mu: z.int(), sigma: z.int() })

const settledSeat = z.strictObject({
  player,
  outcome: z.enum(OUTCOMES),
  escaped: z.boolean(),
  /** What the player had, and what is added to it; null: a friendly game. */
  change: z
    .strictObject({
      score: z.int(),
      delta: z.int(),
      skill,
      /** null: the game changes no rating (R-SCORE-4). */
      skillDelta: skill.nullable(),
    })
    .nullable(),
})

const settlement = z.strictObject({
  date: z.int(),
  preset: z.enum(PRESET_NAMES),
  isPrivate: z.boolean(),
  scored: z.boolean(),
  moves: z.int(),
  reason: z.enum(END_REASONS),
  seats: z.partialRecord(z.enum(SEATS), settledSeat),
})

/** What a game does to its players: all that is needed to do it, fixed before anything is done (ADR 0008). */
export type Settlement = z.infer<typeof settlement>
export type SettledSeat = z.infer<typeof settledSeat>

export const encodeSettlement = (settled: Settlement): string => JSON.stringify(settled)
export const decodeSettlement = (text: string): Settlement => settlement.parse(JSON.parse(text))

/** The players of a game, by seat. */
export function playersOf({ state }: Pick<EndedGame, 'state'>): PerSeat<Player> {
  const entries = state.rules.ruleSet.seats.map((seat) => {
    const occupant = state.seats[seat]
    invariant(occupant !== null, `somebody played ${seat}`)
    return [seat, occupant.player] as const
  })
  return Object.fromEntries(entries)
}

/** What follows from a game for players whose tallies are these (R-SCORE). */
export function settle(ended: EndedGame, tallies: PerSeat<Tally>): Settlement {
  const { game, state, endedAt } = ended
  const { preset, ruleSet } = state.rules
  const players = playersOf(ended)
  const hasBot = Object.values(players).some(({ bot }) => bot !== undefined)
  const scored = isScored({ preset, ruleSet, hasBot })
  const changeOf = scored ? changesOf(ended, tallies) : () => null
  const seats: [Seat, SettledSeat][] = ruleSet.seats.map((seat) => {
    const [who, outcome] = [players[seat], outcomeOf(game, seat)]
    invariant(who !== undefined && outcome !== null, 'a game that has ended has players')
    const escaped = hasEscaped(game, seat)
    return [seat, { player: who, outcome, escaped, change: changeOf(seat) }]
  })
  return {
    date: Math.round(endedAt),
    preset,
    isPrivate: state.invitation !== null,
    scored,
    moves: game.moves,
    reason: game.result.reason,
    seats: Object.fromEntries(seats),
  }
}

const NEW: Tally = { revision: 0, numbers: {} }

function changesOf(
  { game, state }: EndedGame,
  tallies: PerSeat<Tally>,
): (seat: Seat) => NonNullable<SettledSeat['change']> {
  const { preset } = state.rules
  const ofAll = <Value>(value: (tally: Tally) => Value): PerSeat<Value> =>
    Object.fromEntries(game.ruleSet.seats.map((seat) => [seat, value(tallies[seat] ?? NEW)]))
  const scores = ofAll(scoreIn)
  const skills = ofAll((tally) => skillIn(tally, preset))
  const deltas = scoreChanges(game, scores)
  const isVoid = game.ruleSet.seats.some((seat) => outcomeOf(game, seat) === 'void')
  const skillDeltas: PerSeat<Skill> = isVoid ? {} : skillChanges(game, skills)
  return (seat) => ({
    score: scores[seat] ?? 0,
    delta: deltas[seat] ?? 0,
    skill: skills[seat] ?? { mu: 0, sigma: 0 },
    skillDelta: skillDeltas[seat] ?? null,
  })
}
