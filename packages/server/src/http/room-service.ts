import type { Result } from '@junqi/engine'
import type { CommandId, ErrorCode, Player, RoomId } from '@junqi/protocol'

/** What HTTP asks of the rooms. Bodies are JSON values, made from the same views as frames (F-H2). */
export interface RoomService {
  /** The same player and id make the same room. */
  createRoom(
    player: Player,
    request: {
      readonly preset: string
      readonly options: Readonly<Record<string, string | number | boolean | null>>
      readonly private: boolean
    },
    id: CommandId,
  ): Promise<Result<{ readonly room: RoomId; readonly version: number }, RoomRefusal>>
  /** Public rooms that have not ended. */
  listRooms(): Promise<readonly unknown[]>
  /** As the player sees it, or a spectator; null: no such room, or not for this viewer. */
  publicRoom(room: RoomId, player: Player | null): Promise<object | null>
  /** After the end; null: no such record, or not for this viewer, or not yet. */
  record(room: RoomId, player: Player | null): Promise<object | null>
}

export interface RoomRefusal {
  readonly code: ErrorCode
  readonly message: string
}
