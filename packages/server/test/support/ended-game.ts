import { type EndReason, invariant, recordOf, type Seat } from '@junqi/engine'
import type { Player, RoomId } from '@junqi/protocol'
import type { EndedGame } from '../../src/outbox/ended-game.ts'
import { isGameEvent } from '../../src/room/room-reducer.ts'
import { CHANCE, PureRoom, type RoomSetup } from './pure-room.ts'

export interface Ending extends Omit<RoomSetup, 'host'> {
  readonly room: RoomId
  /** In the order of the seats. */
  readonly players: readonly Player[]
  readonly winners?: readonly Seat[]
  readonly reason?: EndReason
  readonly moves?: number
  readonly left?: readonly Seat[]
  readonly endedAt?: number
}

/** A game that began as games do, and ended as the test says. */
export function endedGame(ending: Ending): EndedGame {
  const { room, players, winners = [], left = [], moves = 40, endedAt = 1_000 } = ending
  const { reason = winners.length > 0 ? 'flagCaptured' : 'agreed', ...setup } = ending
  const [host] = players
  invariant(host !== undefined, 'somebody plays')
  const pure = new PureRoom({ ...setup, host })
  pure.deploy(players)
  // The flip game has no deployment.
  for (const player of pure.state.phase === 'deployment' ? players : []) {
    const formation = pure.formation()
    pure.act(player, { type: 'submitFormation', formation, ...CHANCE, random: pure.random() })
  }
  const { game, rules } = pure.state
  invariant(game !== null, 'the game has begun')
  const seats = { ...game.seats }
  for (const seat of left) {
    const status = seats[seat]
    if (status !== null) seats[seat] = { ...status, out: 'left' }
  }
  const ended = { ...game, seats, moves, toMove: null, result: { winners, reason } }
  return {
    room,
    state: { ...pure.state, phase: 'finished', game: ended },
    game: ended,
    record: recordOf(
      rules,
      pure.log.flatMap(({ events }) => events.filter(isGameEvent)),
    ),
    startedAt: endedAt - 500,
    endedAt,
    at: endedAt,
  }
}
