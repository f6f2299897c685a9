import { BOT_LEVELS, type BotLevel } from './primitives.ts'

/** How many bots of each level; a level that is not there has none. */
export type BotRoster = Readonly<Partial<Record<BotLevel, number>>>

/** Bots of one level; enough for any server, and few enough to be no accident. */
const MOST = 200

/** What a roster looks like, for sentences that say what to write. */
export const BOT_ROSTER_FORM = `levels with how many of each, 1 to ${MOST}, such as "easy:4,normal:4,hard:2", or "none"`

/** Reads `easy:4,normal:2` or `none`; null: it is none. */
export function parseBotRoster(text: string): BotRoster | null {
  const roster: Partial<Record<BotLevel, number>> = {}
  if (text.trim() === 'none') return roster
  for (const item of text.split(',')) {
    const [, name, digits] = /^\s*([a-z]+):(\d{1,3})\s*$/.exec(item) ?? []
    const level = BOT_LEVELS.find((known) => known === name)
    const count = Number(digits)
    if (level === undefined || level in roster || count < 1 || count > MOST) return null
    roster[level] = count
  }
  return roster
}
