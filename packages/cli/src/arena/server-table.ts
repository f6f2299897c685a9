import { connect, createGuest, type Refusal, type RoomHandle, type RoomState } from '@junqi/client'
import type { PresetName, Result } from '@junqi/engine'
import { WebSocket } from 'ws'
import { inputFailure } from '../failure.ts'
import { type Outcome, type Pairing, sideOf } from './tournament.ts'

/**
 * A game of a pairing at a server: the bots that are connected there sit down, and a host of no seat reads the result from
 * the room; `told` how many moves it has come to. A host for each game, so that no limit of rooms is met.
 */
export async function playAtServer(
  url: string,
  preset: PresetName,
  pairing: Pairing,
  game: number,
  told: (moves: number) => void,
): Promise<Outcome> {
  const { token } = good(await createGuest(url, 'junqi arena'), url)
  const client = connect({ url, token, clientName: 'junqi arena', WebSocket })
  try {
    const made = good(await client.createRoom({ preset, options: {}, private: true }), url)
    if (made.room === null) throw inputFailure(`${url} made no room`)
    const room = client.room(made.room)
    good(await room.opened(), url)
    await seatBots(room, pairing, game, url)
    await until(room, ({ view }) => Object.values(view.seats).every((one) => one?.ready !== false))
    good(await room.start(), url)
    const { view } = await until(room, ({ view: { phase, game } }) => {
      told(game?.moves ?? 0)
      return phase === 'finished'
    })
    return outcomeOf(view.game, pairing, game)
  } finally {
    client.close()
  }
}

async function seatBots(
  room: RoomHandle,
  { ruleSet, a, b }: Pairing,
  game: number,
  url: string,
): Promise<void> {
  for (const seat of ruleSet.seats) {
    const level = sideOf(ruleSet, game, seat) === 'a' ? a : b
    const added = await room.addBot(seat, level)
    if (!added.ok && added.error.code === 'no_bot_available') {
      throw inputFailure(
        `no ${level} bot is free at ${url}: run more with \`junqi bots --levels ${level}:${ruleSet.seats.length}\``,
      )
    }
    good(added, url)
  }
}

function outcomeOf(view: RoomState['view']['game'], { ruleSet }: Pairing, game: number): Outcome {
  if (view === null || view.result === null) throw inputFailure('the game ended without a result')
  const [winner] = view.result.winners
  return {
    winner: winner === undefined ? null : sideOf(ruleSet, game, winner),
    reason: view.result.reason,
    moves: view.moves,
  }
}

async function until(room: RoomHandle, isSo: (state: RoomState) => boolean): Promise<RoomState> {
  for await (const update of room.updates()) {
    if (update.type === 'lost') throw inputFailure(`the room was lost: ${update.reason.message}`)
    if (isSo(update.state)) return update.state
  }
  throw inputFailure('the room was closed')
}

function good<Value>(result: Result<Value, Refusal>, url: string): Value {
  if (result.ok) return result.value
  throw inputFailure(`${url}: ${result.error.message}`)
}
