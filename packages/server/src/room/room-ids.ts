import { createHmac } from 'node:crypto'
import { type Invitation, invitation, type RoomId, roomId } from '@junqi/protocol'
import type { Rng } from '../ports.ts'

const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz'
const ID_LENGTH = 8
const INVITATION_BYTES = 16

/**
 * A room id made from what asked for the room, so that asking again leads to the same room.
 * Without the secret it cannot be told from a random one.
 */
export function deriveRoomId(secret: Uint8Array, origin: string): RoomId {
  const digest = createHmac('sha256', secret).update(origin).digest()
  const symbols = Array.from({ length: ID_LENGTH }, (_, i) => BASE32[(digest[i] ?? 0) % 32])
  return roomId.parse(symbols.join(''))
}

/** An id of the same form, drawn at random. */
export const drawId = (rng: Rng): RoomId =>
  roomId.parse([...rng.bytes(ID_LENGTH)].map((byte) => BASE32[byte % 32]).join(''))

export const makeInvitation = (rng: Rng): Invitation =>
  invitation.parse(Buffer.from(rng.bytes(INVITATION_BYTES)).toString('base64url'))
