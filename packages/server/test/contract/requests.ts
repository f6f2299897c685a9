import { commandId, playerId, roomId } from '@junqi/protocol'
import type { AppendRequest, CommandId, PlayerId, RoomId, SeatList } from '../../src/ports.ts'

export function roomOf(number: number): RoomId {
  return roomId.parse(`r${String(number).padStart(7, '0')}`)
}

export function playerOf(number: number): PlayerId {
  return playerId.parse(`p${String(number).padStart(11, '0')}`)
}

export const seatsOf = (number: number): SeatList => ({ whose: 'own', player: playerOf(number) })

export const botsOf = (number: number): SeatList => ({ whose: 'bots', player: playerOf(number) })

export function commandIdOf(number: number): CommandId {
  return commandId.parse(`c-${number}`)
}

/** A request to make a room, but for the changes. */
export function requestOf(room: number, change: Partial<AppendRequest> = {}): AppendRequest {
  return {
    room: roomOf(room),
    expectedVersion: 0,
    previous: null,
    data: 'data',
    command: null,
    deadline: null,
    lobby: null,
    ended: null,
    ...change,
  }
}
