import { type GameRecord, type GameResult, type GameState, recordOf } from '@junqi/engine'
import type { RoomId } from '@junqi/protocol'
import type { RoomStore, ServiceTime } from '../ports.ts'
import { replay } from '../room/replay.ts'
import { isGameEvent } from '../room/room-reducer.ts'
import type { RoomState } from '../room/room-state.ts'

/** A game that has come to its end, as its log has it. */
export interface EndedGame {
  readonly room: RoomId
  /** The room after its last entry; who played sits there, who left the game too. */
  readonly state: RoomState
  readonly game: GameState & { readonly result: GameResult }
  readonly record: GameRecord
  /** When play began and ended, in milliseconds since 1970: for people. Nodes that read it at once may differ by a little. */
  readonly startedAt: number
  readonly endedAt: number
  /** When it ended, in service time. */
  readonly at: ServiceTime
}

/** Both at one moment: what time it is for people, and in the service. */
export interface Now {
  readonly date: number
  readonly service: ServiceTime
}

/** The game of a room, from its log; null: there is none that has ended. Throws where the log cannot be replayed. */
export async function readEndedGame(
  store: Pick<RoomStore, 'read'>,
  room: RoomId,
  now: Now,
): Promise<EndedGame | null> {
  const { log, state, fault } = replay(await store.read(room, 0))
  if (fault !== null) throw fault
  const game = state?.game ?? null
  if (state === null || game === null || game.result === null) return null
  const timeOf = (type: 'gameStarted' | 'gameEnded'): ServiceTime =>
    log.find(({ events }) => events.some((event) => event.type === type))?.at ?? now.service
  const dateOf = (at: ServiceTime): number => now.date - (now.service - at)
  const { preset, options } = state.rules
  return {
    room,
    state,
    game: { ...game, result: game.result },
    record: {
      ...recordOf(
        { preset, options },
        log.flatMap(({ events }) => events.filter(isGameEvent)),
      ),
      ...(state.seal !== null && { seal: state.seal }),
    },
    startedAt: dateOf(timeOf('gameStarted')),
    endedAt: dateOf(timeOf('gameEnded')),
    at: timeOf('gameEnded'),
  }
}
