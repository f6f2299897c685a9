import { type GameRecord, recordOf } from '@junqi/engine'
import type { RoomId } from '@junqi/protocol'
import type { RoomStore } from '../ports.ts'
import { parseEntry } from './log-entry.ts'
import type { RoomRules } from './room-event.ts'
import { isGameEvent } from './room-reducer.ts'

/** The whole game of a room, from its log. */
export async function readRecord(
  store: Pick<RoomStore, 'read'>,
  room: RoomId,
  { preset, options }: Pick<RoomRules, 'preset' | 'options'>,
): Promise<GameRecord> {
  const log = (await store.read(room, 0)).map(parseEntry)
  const events = log.flatMap((entry) => entry.events).filter(isGameEvent)
  return recordOf({ preset, options }, events)
}
