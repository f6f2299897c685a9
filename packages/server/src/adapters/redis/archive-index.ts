import type { ArchiveStore, IndexedGame, RoomId } from '../../ports.ts'
import { decodeGame, encodeGame } from '../stored-game.ts'
import type { Keys } from './keys.ts'
import type { Link } from './link.ts'
import { maybeTextOf, textsOf } from './reply.ts'

const memberOf = (place: string, room: RoomId): string => `${place} ${room}`

/**
 * The archive's index. A game and its lists lie in different slots: the game is written first and dropped last, so that
 * whoever begins anew after a failure knows all its lists.
 */
export class ArchiveIndex implements ArchiveStore {
  readonly #link: Link
  readonly #keys: Keys

  constructor(link: Link, keys: Keys) {
    this.#link = link
    this.#keys = keys
  }

  async indexGame(game: IndexedGame): Promise<void> {
    const { room } = game
    await this.#link.send('SET', this.#keys.game(room), encodeGame(game), 'NX')
    // Of nodes that index it at once, one has made what is kept.
    const kept = (await this.findGame(room)) ?? game
    await Promise.all(
      Object.entries(kept.places).map(([list, place]) =>
        this.#link.send('ZADD', this.#keys.games(list), 0, memberOf(place, room)),
      ),
    )
  }

  async findGame(room: RoomId): Promise<IndexedGame | null> {
    const text = maybeTextOf(await this.#link.send('GET', this.#keys.game(room)))
    return text === null ? null : decodeGame(room, text)
  }

  async listGames(list: string, after: string, limit: number) {
    // After the place itself and whatever room follows it.
    const start = after === '' ? '-' : `(${after} ~`
    const range = ['BYLEX', 'LIMIT', 0, limit] as const
    const members = textsOf(
      await this.#link.send('ZRANGE', this.#keys.games(list), start, '+', ...range),
    )
    const found = await Promise.all(
      members.map(async (member) => {
        const at = member.lastIndexOf(' ')
        const game = await this.findGame(member.slice(at + 1) as RoomId)
        return game === null ? [] : [{ place: member.slice(0, at), game }]
      }),
    )
    return found.flat()
  }

  async dropGame(room: RoomId): Promise<void> {
    const game = await this.findGame(room)
    if (game === null) return
    await Promise.all(
      Object.entries(game.places).map(([list, place]) =>
        this.#link.send('ZREM', this.#keys.games(list), memberOf(place, room)),
      ),
    )
    await this.#link.send('DEL', this.#keys.game(room))
  }
}
