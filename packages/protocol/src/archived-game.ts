import { OUTCOMES } from '@junqi/engine'
import { z } from 'zod'
import { playerId, roomId } from './ids.ts'
import type { Immutable } from './immutable.ts'
import { player, presetName, seat } from './primitives.ts'
import { gameResult, gameView } from './seat-view.ts'

const date = z.number().int().nonnegative()

/** A finished game in a list. Its id is that of its room. */
export const gameSummary = z.strictObject({
  room: roomId,
  preset: presetName,
  /** The host overrode some of the preset's rules. */
  custom: z.boolean(),
  private: z.boolean(),
  seats: z.partialRecord(seat, player),
  result: gameResult,
  /** Actions of the record; positions are counted from 0 to this. */
  actions: z.number().int().nonnegative(),
  /** Milliseconds since 1970. */
  startedAt: date,
  endedAt: date,
})
export type GameSummary = Immutable<z.infer<typeof gameSummary>>

/** A place in a list, as the page before it told it. */
export const gameCursor = z
  .string()
  .regex(/^\d{15}[0-9a-z]{8}$/, 'a cursor is what the page before told as "next"')

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
    player: playerId.optional(),
    preset: presetName.optional(),
    result: z.enum([...OUTCOMES, 'decided']).optional(),
    after: dateInput.optional(),
    before: dateInput.optional(),
    cursor: gameCursor.optional(),
    limit: whole(100, 'a page has 1 to 100 games')
      .refine((value) => value > 0, 'a page has 1 to 100 games')
      .optional(),
  })
  .refine(
    ({ player, result }) => player !== undefined || (result !== 'won' && result !== 'lost'),
    'won and lost are asked of a player; without one, ask for decided, drawn or void',
  )
export type GameQuery = z.infer<typeof gameQuery>

/** The answer of `GET /v1/games/:id/positions/:n`: the game after n actions. */
export const gamePosition = z.strictObject({
  n: z.number().int().nonnegative(),
  /** The number of the last position. */
  last: z.number().int().nonnegative(),
  action: z.string().nullable(),
  view: gameView,
})
export type GamePosition = Immutable<z.infer<typeof gamePosition>>

export const shareToken = z.string().regex(/^[A-Za-z0-9_-]{22}$/, 'a share is 22 characters')

/** The answer of `POST /v1/games/:id/share`. `share` null: the game is public, and its address is enough. */
export const gameShare = z.strictObject({ path: z.string(), share: shareToken.nullable() })
export type GameShare = Immutable<z.infer<typeof gameShare>>
