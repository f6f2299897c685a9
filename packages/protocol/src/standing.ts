import { OUTCOMES, TITLE_NAMES } from '@junqi/engine'
import { z } from 'zod'
import { playerId, roomId } from './ids.ts'
import type { Immutable } from './immutable.ts'
import { endReason, player, presetName, seat } from './primitives.ts'

export const title = z.enum(TITLE_NAMES).meta({ id: 'Title', description: 'R-SCORE-6.' })
export const outcome = z.enum(OUTCOMES).meta({
  id: 'Outcome',
  description: 'How a game ended for a player. `void`: ended by leaving, for nobody (R-OUT-7).',
})

/** Of one preset: skill, how uncertain that is, and what lists are in the order of (R-SCORE-8). */
export const rating = z
  .strictObject({
    mu: z.number().describe('Skill as it is estimated; 25 for who has not played.'),
    sigma: z.number().describe('How uncertain that is; it shrinks with the games played.'),
    ordinal: z.number().describe('`mu` - 3 `sigma`: skill that is as good as certain.'),
  })
  .meta({ id: 'Rating', description: 'R-SCORE-8.' })
export type Rating = Immutable<z.infer<typeof rating>>

const ofPreset = z.strictObject({ ...rating.shape, games: z.int().positive() })

const counts = z.strictObject({
  played: z.int().nonnegative(),
  won: z.int().nonnegative(),
  lost: z.int().nonnegative(),
  drawn: z.int().nonnegative(),
  void: z.int().nonnegative(),
  escaped: z.int().nonnegative(),
})

/** A game in a player's history. */
export const playedGame = z.strictObject({
  room: roomId.nullable(),
  date: z.int().describe('Milliseconds since 1970.'),
  preset: presetName,
  scored: z.boolean(),
  seat,
  outcome,
  escaped: z.boolean(),
  reason: endReason,
  moves: z.int().nonnegative(),
  delta: z.int().nullable(),
  score: z.int().nullable(),
  players: z.partialRecord(seat, player).nullable(),
})
export type PlayedGame = Immutable<z.infer<typeof playedGame>>

/** The answer of `GET /v1/players/:id`. */
export const playerPage = z.strictObject({
  player,
  score: z.int(),
  title,
  counts,
  ratings: z.partialRecord(presetName, ofPreset),
  games: z.array(playedGame),
})
export type PlayerPage = Immutable<z.infer<typeof playerPage>>

/** What a scored game did to one seat. */
const seatScore = z.strictObject({
  player: playerId,
  score: z.int().describe('After the game.'),
  delta: z.int(),
  title,
  rating: rating.describe('In the preset, after the game.'),
  ratingDelta: z.number().describe('By how much the ordinal changed.'),
  outcome,
  escaped: z.boolean(),
})

export const seatScores = z.partialRecord(seat, seatScore)
export type SeatScores = Immutable<z.infer<typeof seatScores>>

/** The answer of `GET /v1/games/:id/score`. */
export const gameScore = z.strictObject({
  room: roomId,
  settled: z.boolean(),
  scored: z.boolean(),
  seats: seatScores,
})
export type GameScore = Immutable<z.infer<typeof gameScore>>

/** Lines of a leaderboard that are told at once. */
const MOST_LINES = 100
const CURSOR = /^[0-9]{1,9}-[0-9a-z.]{1,40}$/

const LIMIT = `must be a whole number from 1 to ${MOST_LINES}`
const lineCount = z
  .string()
  .regex(/^[0-9]{1,3}$/, LIMIT)
  .transform(Number)
  .pipe(z.int().min(1, LIMIT).max(MOST_LINES, LIMIT))

const page = {
  limit: lineCount.default(50).describe('Lines of a page: 1 to 100; left out, 50.'),
  cursor: z
    .string()
    .regex(CURSOR, 'must be what an earlier answer gave as next')
    .exactOptional()
    .describe('The `next` of the page before.'),
}

/** The query of `GET /v1/leaderboard`. */
export const leaderboardQuery = z.discriminatedUnion(
  'by',
  [
    z.strictObject({ by: z.literal('score'), ...page }),
    z.strictObject({ by: z.literal('rating'), preset: presetName, ...page }),
  ],
  'must be score or rating',
)
export type LeaderboardQuery = Immutable<z.infer<typeof leaderboardQuery>>

/** A line of a leaderboard. */
const leader = z.strictObject({ rank: z.int().positive(), player })

/** The answer of `GET /v1/leaderboard`. */
export const leaderboard = z.discriminatedUnion('by', [
  z.strictObject({
    by: z.literal('score'),
    players: z.array(z.strictObject({ ...leader.shape, score: z.int(), title })),
    next: z.string().nullable(),
  }),
  z.strictObject({
    by: z.literal('rating'),
    preset: presetName,
    players: z.array(z.strictObject({ ...leader.shape, rating: ofPreset })),
    next: z.string().nullable(),
  }),
])
export type Leaderboard = Immutable<z.infer<typeof leaderboard>>
