import type { BotLevel, Player, PlayerId } from '@junqi/protocol'
import type { PlayerStore, SeatIndex } from '../ports.ts'
import { type RoomState, seatOf } from './room-state.ts'
import type { Seats } from './seats.ts'

export interface BotBenchDeps {
  readonly store: Pick<PlayerStore, 'bots'> & Pick<SeatIndex, 'notedSeats'>
  readonly seats: Pick<Seats, 'makePlaceFor'>
  /** Those of the players who are connected, to whichever node. */
  connected(players: readonly PlayerId[]): Promise<ReadonlySet<PlayerId>>
}

/** The bots that wait to be seated, at whichever node they are connected. */
export class BotBench {
  readonly #deps: BotBenchDeps

  constructor(deps: BotBenchDeps) {
    this.#deps = deps
  }

  /** Of the connected bots of a level that do not sit in the room, the one with the fewest games; null: all are busy. */
  async find(level: BotLevel, room: Pick<RoomState, 'seats'>): Promise<Player | null> {
    const [bot] = await this.#ready(level, 1, ({ id }) => seatOf(room, id) === null)
    return bot ?? null
  }

  /** So many connected bots of a level, those with the fewest games first; fewer: the others are busy. */
  findSome(level: BotLevel, count: number): Promise<readonly Player[]> {
    return this.#ready(level, count, () => true)
  }

  async #ready(
    level: BotLevel,
    count: number,
    isWanted: (bot: Player) => boolean,
  ): Promise<readonly Player[]> {
    const { store, seats } = this.#deps
    const bots = (await store.bots()).filter((bot) => bot.bot === level && isWanted(bot))
    const connected = await this.#deps.connected(bots.map(({ id }) => id))
    const gamesOf = async ({ id }: Player): Promise<number> =>
      (await store.notedSeats({ whose: 'own', player: id })).size
    const waiting = await Promise.all(
      bots
        .filter(({ id }) => connected.has(id))
        .map(async (bot) => ({ bot, games: await gamesOf(bot) })),
    )
    const ready: Player[] = []
    // What is noted may be more than there is: the fullest are looked at only when nobody else is there.
    for (const { bot } of waiting.sort((one, other) => one.games - other.games)) {
      if (ready.length === count) break
      if (await seats.makePlaceFor({ whose: 'own', player: bot }, null)) ready.push(bot)
    }
    return ready
  }
}
