import { z } from 'zod'
import type { Immutable } from './immutable.ts'

const MOST_MOVES = 100
const DELAY = `a delay is 1 to ${MOST_MOVES} moves`

/** Who may look on while a room's game runs, and how late (R-ROOM). */
export const spectators = z
  .discriminatedUnion('mode', [
    z.strictObject({ mode: z.literal('public') }).describe('Everyone who may see the room.'),
    z
      .strictObject({ mode: z.literal('none') })
      .describe('Nobody without a seat, from deployment to the end.'),
    z
      .strictObject({
        mode: z.literal('delayed'),
        moves: z.number(DELAY).int(DELAY).min(1, DELAY).max(MOST_MOVES, DELAY),
      })
      .describe('They see the game as it was so many moves ago; at its end all of it.'),
  ])
  .meta({ id: 'Spectators', description: 'Who may look on while the game runs, and how late.' })
export type Spectators = Immutable<z.infer<typeof spectators>>
