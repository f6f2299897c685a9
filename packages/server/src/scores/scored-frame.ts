import { type EncodedMessage, encodeServerMessage, type RoomId } from '@junqi/protocol'
import type { ScoreStore } from '../ports.ts'
import { seatScoresOf } from './score-reader.ts'
import { decodeSettlement } from './settlement.ts'

/** What those who watch a room are told when its game was scored; null: it was not, or is a friendly game. */
export async function readScoredFrame(
  store: Pick<ScoreStore, 'settlement'>,
  room: RoomId,
): Promise<EncodedMessage | null> {
  const text = await store.settlement(room)
  const settled = text === null ? null : decodeSettlement(text)
  if (!settled?.scored) return null
  return encodeServerMessage({ type: 'scored', room, seats: seatScoresOf(settled) })
}
