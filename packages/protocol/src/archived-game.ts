import { OUTCOMES } from '@junqi/engine'
import { z } from 'zod'
import { playerId, roomId } from './ids.ts'
import type { Immutable } from './immutable.ts'
import { player, presetName, seat } from './primitives.ts'
import { gameResult, gameView } from './seat-view.ts'

const date = z.number().int().nonnegative()

export const gameSummary = z
  .strictObject({
    room: roomId,
    preset: presetName,
    custom: z.boolean().describe("Some of the preset's rules were overridden, other than scoring."),
    private: z.boolean(),
    seats: z.partialRecord(seat, player),
    result: gameResult,
    actions: z
      .number()
      .int()
      .nonnegative()
      .describe('Of the record; positions are counted from 0 to this.'),
    startedAt: date.describe('Milliseconds since 1970.'),
    endedAt: date.describe('Milliseconds since 1970.'),
  })
  .meta({
    id: 'GameSummary',
    description: 'A finished game in a list. Its id is that of its room.',
  })
export type GameSummary = Immutable<z.infer<typeof gameSummary>>

/** A place in a list, as the page before it told it. */
export const gameCursor = z
  .string()
  .regex(/^\d{15}[0-9a-z]{8}$/, 'a cursor is what the page before told as "next"')
  .describe('The `next` of the page before.')

/** The answer of `GET /v1/games`, the newest first; `next` null: there are no more. */
export const gamePage = z.strictObject({
  games: z.array(gameSummary),
  next: gameCursor.nullable(),
})
export type GamePage = Immutable<z.infer<typeof gamePage>>

const whole = (most: number, sentence: string) =>
  z
    .string()
    .regex(/^\d{1,15}$/, sentence)
    .transform(Number)
    .refine((value) => value <= most, sentence)

const DATE_FORM = 'a date is milliseconds since 1970, such as 1767225600000'
const dateInput = whole(999_999_999_999_999, DATE_FORM)

/** How a list is asked for. `won` and `lost` are a player's. */
export const gameQuery = z
  .strictObject({
    player: playerId.optional().describe('Games of this player.'),
    preset: presetName.optional().describe('Games by this preset.'),
    result: z
      .enum([...OUTCOMES, 'decided'])
      .optional()
      .describe('`won` and `lost` are asked of a player only.'),
    after: dateInput.optional().describe('Milliseconds since 1970.'),
    before: dateInput.optional().describe('Milliseconds since 1970.'),
    cursor: gameCursor.optional(),
    limit: whole(100, 'a page has 1 to 100 games')
      .refine((value) => value > 0, 'a page has 1 to 100 games')
      .optional()
      .describe('Games of a page: 1 to 100; left out, 20.'),
  })
  .refine(
    ({ player, result }) => player !== undefined || (result !== 'won' && result !== 'lost'),
    'won and lost are asked of a player; without one, ask for decided, drawn or void',
  )
export type GameQuery = z.infer<typeof gameQuery>

/** The answer of `GET /v1/games/:id/positions/:n`: the game after n actions. */
export const gamePosition = z.strictObject({
  n: z.number().int().nonnegative(),
  last: z.number().int().nonnegative().describe('The number of the last position.'),
  action: z.string().nullable().describe('The one that led here. Null: the start.'),
  view: gameView,
})
export type GamePosition = Immutable<z.infer<typeof gamePosition>>

export const shareToken = z.string().regex(/^[A-Za-z0-9_-]{22}$/, 'a share is 22 characters')

/** The answer of `POST /v1/games/:id/share`. `share` null: the game is public, and its address is enough. */
export const gameShare = z.strictObject({ path: z.string(), share: shareToken.nullable() })
export type GameShare = Immutable<z.infer<typeof gameShare>>

/** What may be asked of one game: as whoever has its share. */
export const shareQuery = z.strictObject({
  share: z.string().optional().describe('Opens a private game for who is no member.'),
})
export type ShareQuery = z.infer<typeof shareQuery>

/** The query of `GET /v1/games/:id/positions/:n`. */
export const positionQuery = shareQuery.extend({
  as: z
    .string()
    .optional()
    .describe('As a seat of the game or `spectator` saw it then; left out, the `truth`.'),
})
