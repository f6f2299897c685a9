import { PRESET_NAMES } from '@junqi/engine'
import { z } from 'zod'
import { playerId, roomId } from './ids.ts'
import type { Immutable } from './immutable.ts'
import { player, presetName, seat } from './primitives.ts'
import { PHASES } from './room-view.ts'

/** Finished rooms are in no list. */
const phase = z.enum(PHASES).exclude(['finished'])

/** A public room that has not ended, as lists show it. */
export const listedRoom = z
  .strictObject({
    room: roomId,
    phase,
    preset: presetName,
    custom: z.boolean().describe("The rules are not quite the preset's own, but for scoring."),
    scored: z
      .boolean()
      .describe('The game, with those who sit there now, will be scored and rated (R-SCORE-5).'),
    spectators: z
      .enum(['public', 'none', 'delayed'])
      .describe('Who may look on while the game runs (R-ROOM-1).'),
    host: playerId,
    seats: z.array(z.strictObject({ seat, player: player.nullable() })),
  })
  .meta({ id: 'ListedRoom', description: 'A public room that has not ended, as lists show it.' })
export type ListedRoom = Immutable<z.infer<typeof listedRoom>>

const some = <Choice extends z.ZodType>(choice: Choice, most: number) =>
  z.array(choice).max(most).exactOptional()

export const lobbyFilters = z
  .strictObject({
    presets: some(presetName, PRESET_NAMES.length).describe('Any of these.'),
    phases: some(phase, phase.options.length).describe('Any of these.'),
    freeSeats: z.boolean().exactOptional().describe('True: a seat is free. False: none is.'),
    custom: z
      .boolean()
      .exactOptional()
      .describe("Whether the rules differ from the preset's own, but for scoring."),
  })
  .meta({ id: 'LobbyFilters', description: 'What is left out does not matter; `{}` for all.' })
export type LobbyFilters = Immutable<z.infer<typeof lobbyFilters>>
