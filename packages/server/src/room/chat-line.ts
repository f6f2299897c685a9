import { InvariantError } from '@junqi/engine'
import { type Phrase, type Player, phrase, player } from '@junqi/protocol'
import { z } from 'zod'
import type { ServiceTime } from '../ports.ts'

/** Something that was said: a text or a phrase. */
export interface ChatLine {
  readonly by: Player
  readonly at: ServiceTime
  readonly text: string | null
  readonly phrase: Phrase | null
}

const line = z.strictObject({
  by: player,
  at: z.number().int().nonnegative(),
  text: z.string().nullable(),
  phrase: phrase.nullable(),
})

/** The text that the store keeps. */
export const encodeLine = ({ by, at, text, phrase }: ChatLine): string =>
  JSON.stringify({ by, at, text, phrase })

/** Reads it back. What it does not know never passes through (F-H3). */
export function parseLine(data: string): ChatLine {
  const parsed = line.safeParse(JSON.parse(data))
  if (!parsed.success) throw new InvariantError('a line of chat is not of its form')
  return parsed.data
}
