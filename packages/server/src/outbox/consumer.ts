import type { RoomId } from '@junqi/protocol'
import type { EndedGame } from './ended-game.ts'

/**
 * What takes ended games over. It is handed each at least once, by several nodes at a time and in any order, until it has
 * resolved at one of them: by the game's id (that of its room) it must come to the same as once.
 */
export interface EndConsumer {
  /** For logs and metrics. */
  readonly name: string
  take(game: EndedGame): Promise<void>
  /** The room failed, so that its game is void. What was begun is brought to an end; nothing new is. */
  takeVoid(room: RoomId): Promise<void>
}
