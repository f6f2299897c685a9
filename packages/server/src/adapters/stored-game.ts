import { z } from 'zod'
import type { IndexedGame, RoomId } from '../ports.ts'

const storedGame = z.strictObject({
  places: z.record(z.string(), z.string()),
  summary: z.string(),
})

/** A game of the archive's index as JSON text, without the room: that is the key. */
export const encodeGame = ({ places, summary }: IndexedGame): string =>
  JSON.stringify({ places, summary })

export const decodeGame = (room: RoomId, text: string): IndexedGame => ({
  room,
  ...storedGame.parse(JSON.parse(text)),
})
