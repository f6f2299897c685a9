import { PRESET_NAMES, SEATS, type Seat } from '@junqi/engine'
import { type PlayedGame, type PlayerId, playedGame, type RoomId, roomId } from '@junqi/protocol'
import { z } from 'zod'
import type { Settlement } from './settlement.ts'

const line = z.strictObject({
  ...playedGame.shape,
  preset: z.enum(PRESET_NAMES),
  room: roomId,
  players: playedGame.shape.players.unwrap(),
  isPrivate: z.boolean(),
})
type Line = z.infer<typeof line>

/** A game as it stands in the history of the player on a seat; JSON text. */
export function historyLine(room: RoomId, settled: Settlement, seat: Seat): string {
  const { date, preset, isPrivate, scored, moves, reason, seats } = settled
  const own = seats[seat]
  const change = own?.change ?? null
  const written: Line = {
    room,
    date,
    preset,
    isPrivate,
    scored,
    seat,
    outcome: own?.outcome ?? 'void',
    escaped: own?.escaped ?? false,
    reason,
    moves,
    delta: change?.delta ?? null,
    score: change && change.score + change.delta,
    players: Object.fromEntries(
      SEATS.flatMap((each) => (seats[each] ? [[each, seats[each].player]] : [])),
    ),
  }
  return JSON.stringify(written)
}

/** The same for a viewer. Of a private game only who played in it is told where that was, and with whom. */
export function viewHistoryLine(text: string, viewer: PlayerId | null): PlayedGame {
  const { isPrivate, room, players, ...told } = line.parse(JSON.parse(text))
  const isTold = !isPrivate || Object.values(players).some(({ id }) => id === viewer)
  return { ...told, room: isTold ? room : null, players: isTold ? players : null }
}
