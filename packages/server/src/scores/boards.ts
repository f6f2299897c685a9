import { PRESET_NAMES, type PresetName } from '@junqi/engine'
import { type Player, playerId } from '@junqi/protocol'
import { z } from 'zod'
import type { BoardLine, Tally } from '../ports.ts'
import { ratingOf, type Skill } from './rating.ts'
import { gamesIn, scoreIn, skillIn } from './tally.ts'

/** The name of a leaderboard in the store. */
export const SCORE_BOARD = 'score'
export const ratingBoard = (preset: PresetName): string => `rating:${preset}`

/** Larger than any score, or any ordinal in thousandths. */
const TOP = 10 ** 12

/** The higher the value, the earlier the text; of equal ones by the player's id. */
const placeOf = (value: number, { id }: Player): string =>
  `${String(TOP - value).padStart(13, '0')}.${id}`

const person = z.strictObject({ id: playerId, name: z.string() })
const scoreLine = z.strictObject({ player: person, score: z.int() })
const ratingLine = z.strictObject({
  player: person,
  preset: z.enum(PRESET_NAMES),
  skill: z.strictObject({ mu: z.int(), sigma: z.int() }),
  games: z.int().positive(),
})

/** A player's lines of the boards that a game in a preset changes, from its tally after the game. */
export function boardLines(
  { id, name }: Player,
  preset: PresetName,
  tally: Tally,
): readonly (readonly [board: string, line: BoardLine])[] {
  const player = { id, name }
  const [score, skill, games] = [scoreIn(tally), skillIn(tally, preset), gamesIn(tally, preset)]
  const lines = [[SCORE_BOARD, lineOf(score, { player, score })] as const]
  if (games === 0) return lines
  return [...lines, [ratingBoard(preset), lineOf(rank(skill), { player, preset, skill, games })]]
}

/** By what a board of ratings is ordered, as a whole number. */
const rank = (skill: Skill): number => Math.round(ratingOf(skill).ordinal * 1000)

function lineOf(
  value: number,
  line: z.infer<typeof scoreLine> | z.infer<typeof ratingLine>,
): BoardLine {
  return { place: placeOf(value, line.player), player: line.player.id, line: JSON.stringify(line) }
}

export const parseScoreLine = ({ line }: BoardLine): z.infer<typeof scoreLine> =>
  scoreLine.parse(JSON.parse(line))

export const parseRatingLine = ({ line }: BoardLine): z.infer<typeof ratingLine> =>
  ratingLine.parse(JSON.parse(line))
