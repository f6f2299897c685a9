import { createHmac, timingSafeEqual } from 'node:crypto'
import type { RoomId } from '@junqi/protocol'

const SHARE_BYTES = 16

/** What lets anyone see one private game: made from its id, so that it need not be kept. 128 bits. */
export function shareOf(secret: Uint8Array, room: RoomId): string {
  const digest = createHmac('sha256', secret).update(`share ${room}`).digest()
  return digest.subarray(0, SHARE_BYTES).toString('base64url')
}

/** In a time that does not depend on where they differ. */
export function isShareOf(secret: Uint8Array, room: RoomId, offered: string): boolean {
  const [right, told] = [Buffer.from(shareOf(secret, room)), Buffer.from(offered)]
  return right.length === told.length && timingSafeEqual(right, told)
}
