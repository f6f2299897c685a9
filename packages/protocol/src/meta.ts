import { z } from 'zod'
import { admission } from './http.ts'
import type { LIMITS } from './limits.ts'
import { presetName, serverTime } from './primitives.ts'
import { ruleSet } from './rule-set.ts'
import { PROTOCOL } from './version.ts'

const rate = z
  .strictObject({
    perSecond: z.number().describe('So many in the long run.'),
    burst: z.number().describe('So many at once.'),
  })
  .meta({ id: 'Rate', description: 'How often something may be done.' })

const limit = z.int().positive()
const limits = z.strictObject({
  ...({
    frameBytes: limit,
    nameLength: limit,
    subscriptions: limit,
    rememberedCommands: limit,
  } satisfies Record<keyof typeof LIMITS, z.ZodType>),
  rates: z.strictObject({
    messages: rate.describe('Messages of a connection.'),
    player: rate.describe('Messages of a player.'),
    rooms: rate.describe('Rooms that a player makes.'),
    guests: rate.describe('Guests that an address makes.'),
    chat: rate.describe('What a player says.'),
  }),
})

/** The whole answer of `GET /v1/meta`. */
export const metaAnswer = z.strictObject({
  protocol: z.literal(PROTOCOL),
  limits,
  admission: admission.describe('How one comes in.'),
  presets: z.record(presetName, ruleSet),
  serverTime,
})

/** The answer of `GET /healthz` and `GET /readyz`. */
export const health = z.strictObject({ status: z.enum(['ok', 'ready']) })
