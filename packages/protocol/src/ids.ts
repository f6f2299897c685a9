import { z } from 'zod'

/** Crockford's base32 in lower case (no i, l, o, u). */
const base32 = (length: number): RegExp => new RegExp(`^[0-9a-hjkmnp-tv-z]{${length}}$`)

export const roomId = z
  .string()
  .regex(base32(8), 'a room id is 8 characters of 0-9 a-z without i l o u')
  .brand('RoomId')
  .meta({
    id: 'RoomId',
    description: 'A room: 8 characters, 40 random bits. Short to type, not guessable from another.',
  })
export type RoomId = z.infer<typeof roomId>

export const playerId = z
  .string()
  .regex(base32(12), 'a player id is 12 characters of 0-9 a-z without i l o u')
  .brand('PlayerId')
  .meta({ id: 'PlayerId', description: 'A player (account). Public, no secret.' })
export type PlayerId = z.infer<typeof playerId>

export const commandId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,32}$/, 'an id is 1 to 32 characters of A-Z a-z 0-9 _ -')
  .brand('CommandId')
  .meta({
    id: 'CommandId',
    description: 'Made by the client, never used twice by its player in a room.',
  })
export type CommandId = z.infer<typeof commandId>

export const invitation = z
  .string()
  .regex(/^[A-Za-z0-9_-]{22}$/, 'an invitation is 22 characters of base64url')
  .brand('Invitation')
  .meta({ id: 'Invitation', description: 'The way into a private room: 128 random bits.' })
export type Invitation = z.infer<typeof invitation>

/**
 * The room whose code somebody typed or was told: its id in upper or lower case, with spaces or hyphens in it, and with
 * the letters o, i and l in the place of the digits that look like them. null: no code.
 */
export function parseRoomCode(text: string): RoomId | null {
  const symbols = text.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1')
  const parsed = roomId.safeParse(symbols)
  return parsed.success ? parsed.data : null
}

/** A room's id as it is shown and read out: `K7W2-M9QX`. */
export const formatRoomCode = (room: RoomId): string =>
  `${room.slice(0, 4)}-${room.slice(4)}`.toUpperCase()
