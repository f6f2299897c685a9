import { createHmac } from 'node:crypto'
import type { RoomId } from '@junqi/protocol'
import { isSameSecret } from '../same-secret.ts'

const SHARE_BYTES = 16

/** What lets anyone see one private game: made from its id, so that it need not be kept. 128 bits. */
export function shareOf(secret: Uint8Array, room: RoomId): string {
  const digest = createHmac('sha256', secret).update(`share ${room}`).digest()
  return digest.subarray(0, SHARE_BYTES).toString('base64url')
}

export const isShareOf = (secret: Uint8Array, room: RoomId, offered: string): boolean =>
  isSameSecret(shareOf(secret, room), offered)
