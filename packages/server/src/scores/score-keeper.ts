import { type PerSeat, SEATS, type Seat } from '@junqi/engine'
import type { RoomId } from '@junqi/protocol'
import type { EndConsumer } from '../outbox/consumer.ts'
import type { EndedGame } from '../outbox/ended-game.ts'
import type { ScoreStore, Tally } from '../ports.ts'
import { boardLines } from './boards.ts'
import { historyLine } from './history.ts'
import {
  decodeSettlement,
  encodeSettlement,
  playersOf,
  type SettledSeat,
  type Settlement,
  settle,
} from './settlement.ts'
import { numbersOf } from './tally.ts'

/**
 * Scores games: once each, though several nodes do it at a time and any of them may be killed between two steps (ADR 0008).
 * First what the game changes is fixed, by whoever comes first; then each player's part is added, at most once, whoever does it.
 */
export class ScoreKeeper implements EndConsumer {
  readonly name = 'scores'
  readonly #store: ScoreStore

  constructor(store: ScoreStore) {
    this.#store = store
  }

  async take(game: EndedGame): Promise<void> {
    await this.#carryOut(game.room, (await this.#known(game.room)) ?? (await this.#fix(game)))
  }

  /** What was fixed before the room failed was begun, and is not left half done. */
  async takeVoid(room: RoomId): Promise<void> {
    const known = await this.#known(room)
    if (known !== null) await this.#carryOut(room, known)
  }

  async #known(room: RoomId): Promise<Settlement | null> {
    const text = await this.#store.settlement(room)
    return text === null ? null : decodeSettlement(text)
  }

  async #fix(game: EndedGame): Promise<Settlement> {
    const seats = Object.entries(playersOf(game))
    const tallies = await Promise.all(
      seats.map(async ([seat, { id }]) => [seat, await this.#store.tally(id)] as const),
    )
    const settled = settle(game, Object.fromEntries(tallies) as PerSeat<Tally>)
    return decodeSettlement(await this.#store.keepSettlement(game.room, encodeSettlement(settled)))
  }

  async #carryOut(room: RoomId, settled: Settlement): Promise<void> {
    await Promise.all(SEATS.map((seat) => this.#add(room, settled, seat)))
  }

  async #add(room: RoomId, settled: Settlement, seat: Seat): Promise<void> {
    const own = settled.seats[seat]
    // Bots have neither scores nor a history.
    if (own === undefined || own.player.bot !== undefined) return
    const change = { add: addOf(settled, own), line: historyLine(room, settled, seat) }
    const tally = await this.#store.addOnce(own.player.id, room, change)
    if (own.change === null) return
    const lines = boardLines(own.player, settled.preset, tally)
    await Promise.all(
      lines.map(([board, line]) => this.#store.placeOnBoard(board, tally.revision, line)),
    )
  }
}

function addOf(
  { preset }: Settlement,
  { outcome, escaped, change }: SettledSeat,
): Tally['numbers'] {
  if (change === null) return {}
  return numbersOf({ preset, outcome, escaped, delta: change.delta, skill: change.skillDelta })
}
