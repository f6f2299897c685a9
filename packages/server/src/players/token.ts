import { createHash } from 'node:crypto'
import { type PlayerId, playerId } from '@junqi/protocol'
import type { Rng } from '../ports.ts'

/** `<player id>.<43 characters of base64url>`: 256 random bits, kept by the player alone. */
const TOKEN = /^([0-9a-z]{12})\.[A-Za-z0-9_-]{43}$/
const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz'

export const makePlayerId = (rng: Rng): PlayerId => playerIdOf(rng.bytes(12))

export const makeToken = (player: PlayerId, rng: Rng): string => tokenOf(player, rng.bytes(32))

/** Of the first 12 bytes. */
export function playerIdOf(bytes: Uint8Array): PlayerId {
  const letters = Array.from(bytes.subarray(0, 12), (byte) => BASE32[byte % 32])
  return playerId.parse(letters.join(''))
}

/** Of 32 bytes that nobody can guess. */
export const tokenOf = (player: PlayerId, secret: Uint8Array): string =>
  `${player}.${Buffer.from(secret).toString('base64url')}`

/** Whose token it says it is; null: it has not the form of a token. */
export function claimedPlayer(token: string): PlayerId | null {
  return playerId.safeParse(TOKEN.exec(token)?.[1]).data ?? null
}

/** What is stored in place of the token (F-R5): SHA-256 of a text with 256 random bits, in hex. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
