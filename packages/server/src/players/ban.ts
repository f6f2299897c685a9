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

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** With how long each is, and from which time on it tells well enough: one day more or less is much of one and a half. */
const UNITS = [
  { unit: 'day', length: DAY, from: 2 * DAY },
  { unit: 'hour', length: HOUR, from: HOUR },
  { unit: 'minute', length: MINUTE, from: 0 },
] as const

/** What the player is told: for how long yet, in the largest unit that tells it, and why. */
export function sentenceOfBan({ reason, until }: Ban, now: ServiceTime): string {
  const why = reason === '' ? '' : ` Why: ${reason}`
  if (until === null) return `You are shut out of this server.${why}`
  const left = Math.max(0, until - now)
  const { unit, length } = UNITS.find(({ from }) => left >= from) ?? UNITS[2]
  const count = Math.ceil(left / length)
  return `You are shut out of this server for ${count} more ${unit}${count === 1 ? '' : 's'}.${why}`
}
