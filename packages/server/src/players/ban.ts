import { z } from 'zod'
import type { ServiceTime } from '../ports.ts'

/** Why a player is shut out, and until when. */
export interface Ban {
  /** As the player is told it. */
  readonly reason: string
  readonly since: ServiceTime
  /** null: for ever. */
  readonly until: ServiceTime | null
}

const ban = z.strictObject({
  reason: z.string(),
  since: z.number(),
  until: z.number().nullable(),
})

export const encodeBan = ({ reason, since, until }: Ban): string =>
  JSON.stringify({ reason, since, until })

export const decodeBan = (text: string): Ban => ban.parse(JSON.parse(text))

export const isOver = ({ until }: Ban, now: ServiceTime): boolean => until !== null && until <= now

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** What the player is told: for how long yet, in the largest unit that tells it, and why. */
export function sentenceOfBan({ reason, until }: Ban, now: ServiceTime): string {
  const why = reason === '' ? '' : ` Why: ${reason}`
  if (until === null) return `You are shut out of this server.${why}`
  const left = Math.max(0, until - now)
  const [unit, ms] = UNITS.find(([, length]) => left >= length) ?? ['minute', 60_000]
  const count = Math.ceil(left / ms)
  return `You are shut out of this server for ${count} more ${unit}${count === 1 ? '' : 's'}.${why}`
}
