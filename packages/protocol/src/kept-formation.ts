import { z } from 'zod'
import type { Immutable } from './immutable.ts'
import { formation, formationInput, playerName, presetName } from './primitives.ts'

/** Formations that a player may keep by name. */
export const FORMATIONS_LIMIT = 20

/** The name that a player gives a formation: made as a player's name is. */
export const formationName = playerName

/** The body of `PUT /v1/formations/:name`. */
export const formationRequest = z.strictObject({ formation: formationInput })

/** A formation that a player keeps under a name. */
export const namedFormation = z.strictObject({ name: z.string(), formation })
export type NamedFormation = Immutable<z.infer<typeof namedFormation>>

/** The answer of `GET /v1/formations`: the player's own, by name, and what it last handed in, by preset. */
export const keptFormations = z.strictObject({
  formations: z.array(namedFormation),
  last: z.partialRecord(presetName, formation),
})
export type KeptFormations = Immutable<z.infer<typeof keptFormations>>

/** The query of `GET /v1/random-formation`. What the presets differ in of deployment is this one field (R-DEPLOY-4). */
export const randomFormationQuery = z.strictObject({
  bombFrontRow: z
    .enum(['true', 'false'])
    .optional()
    .describe('Whether a bomb may stand in the front row (R-DEPLOY-4).'),
})

/** A formation that is nobody's yet: the answer of `GET /v1/random-formation` and `GET /v1/formations/:name/mirror`. */
export const looseFormation = z.strictObject({ formation })
