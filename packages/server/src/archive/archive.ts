import {
  err,
  type GameRecord,
  JGS_NAME_BYTES,
  ok,
  outcomeOf,
  type Result,
  SEATS,
  type Seat,
  writeJgs,
} from '@junqi/engine'
import type {
  GamePage,
  GamePosition,
  GameQuery,
  GameShare,
  GameSummary,
  Player,
  PlayerId,
  RoomId,
} from '@junqi/protocol'
import type { EndedGame } from '../outbox/ended-game.ts'
import type { ArchiveStore } from '../ports.ts'
import { maySee } from '../room/room-state.ts'
import { type FinishedDeps, FinishedGames } from './finished-games.ts'
import { encodeGbk } from './gbk.ts'
import { KeptPositions } from './kept-positions.ts'
import { isShareOf, shareOf } from './share.ts'
import { indexedGame, LISTS, parseSummary, placeOfDate, summaryOf } from './summary.ts'

const PAGE = 20
/** Games that are looked at for one page: who asks for what is rare goes on from where it ended. */
const LOOKED_AT = 100

export interface ArchiveDeps extends FinishedDeps {
  readonly store: FinishedDeps['store'] & Pick<ArchiveStore, 'findGame' | 'indexGame' | 'listGames'>
}

/** Who asks for a game: a player or nobody in particular, perhaps with what a member gave away. */
export interface Reader {
  readonly player: Player | null
  readonly share: string | null
}

/** The finished games. Of any other, and of one that is not for who asks, nothing can be told. */
export class Archive {
  readonly #store: ArchiveDeps['store']
  readonly #games: FinishedGames
  readonly #secret: Uint8Array
  readonly #positions = new KeptPositions()

  /** `secret`: of the links to private games; for all nodes the same. */
  constructor(deps: ArchiveDeps, secret: Uint8Array) {
    this.#store = deps.store
    this.#games = new FinishedGames(deps)
    this.#secret = secret
  }

  /** Public games, and those of a player; that player is told its private ones too. */
  async list(query: GameQuery, viewer: Player | null): Promise<GamePage> {
    const { before, after, limit = PAGE } = query
    const list = listFor(query, viewer)
    const games: GameSummary[] = []
    let place = query.cursor ?? (before === undefined ? '' : `${placeOfDate(before)}~`)
    for (let looked = 0; looked < LOOKED_AT; ) {
      const found = await this.#store.listGames(list, place, LOOKED_AT - looked)
      for (const { place: next, game } of found) {
        const summary = parseSummary(game)
        if (after !== undefined && summary.endedAt < after) return { games, next: null }
        place = next
        if (isAskedFor(summary, query)) games.push(summary)
        if (games.length === limit) return { games, next: place }
      }
      if (found.length === 0) return { games, next: null }
      looked += found.length
    }
    return { games, next: place }
  }

  async summary(room: RoomId, reader: Reader): Promise<GameSummary | null> {
    const game = await this.#find(room, reader)
    if (game === null) return null
    // Its dates are those that it is listed with.
    const indexed = await this.#store.findGame(room)
    if (indexed !== null) return parseSummary(indexed)
    // What the log has and the index not is put right by whoever finds it (F-C7).
    await this.#store.indexGame(indexedGame(game))
    return summaryOf(game)
  }

  async record(room: RoomId, reader: Reader): Promise<GameRecord | null> {
    return (await this.#find(room, reader))?.record ?? null
  }

  /** As a `.jgs` file; an error says what of the game cannot be told by one. */
  async jgs(room: RoomId, reader: Reader): Promise<Result<Uint8Array, string> | null> {
    const game = await this.#find(room, reader)
    if (game === null) return null
    const names = SEATS.flatMap((seat) => {
      const name = game.state.seats[seat]?.player.name
      return name === undefined ? [] : [[seat, encodeGbk(name, JGS_NAME_BYTES)] as const]
    })
    return writeJgs(game.record, { names: Object.fromEntries(names) })
  }

  /** The game after n actions; an error: there is no such position, or no such seat. */
  async position(
    room: RoomId,
    asked: { readonly n: number; readonly as: string },
    reader: Reader,
  ): Promise<Result<GamePosition, string> | null> {
    const game = await this.#find(room, reader)
    if (game === null) return null
    const positions = await this.#positions.of(game)
    const { last, actionAt, viewAt } = positions
    const { n } = asked
    const views = [...game.game.ruleSet.seats, 'spectator', 'truth'] as const
    const as = views.find((name) => name === asked.as)
    if (as === undefined) return err(`query.as: this game is seen as ${views.join(', ')}.`)
    if (n > last) return err(`n: the positions of this game are 0 to ${last}.`)
    return ok({ n, last, action: actionAt(n), view: viewAt(n, as) })
  }

  /** A way to the game for whoever has it; a private one is given away by its members alone. */
  async share(room: RoomId, player: Player): Promise<GameShare | null> {
    const game = await this.#find(room, { player, share: null })
    if (game === null) return null
    const share = game.state.invitation === null ? null : shareOf(this.#secret, room)
    return { path: share === null ? `/g/${room}` : `/g/${room}?share=${share}`, share }
  }

  async #find(room: RoomId, { player, share }: Reader): Promise<EndedGame | null> {
    const game = await this.#games.find(room)
    if (game === null) return null
    const isSeen = maySee(game.state, player?.id ?? null)
    const isShared = share !== null && isShareOf(this.#secret, room, share)
    return isSeen || isShared ? game : null
  }
}

function listFor({ player }: GameQuery, viewer: Player | null): string {
  if (player === undefined) return LISTS.public
  return player === viewer?.id ? LISTS.own(player) : LISTS.of(player)
}

function isAskedFor(game: GameSummary, { player, preset, result }: GameQuery): boolean {
  if (preset !== undefined && game.preset !== preset) return false
  if (result === undefined) return true
  if (result === 'decided') return game.result.winners.length > 0
  return seatsOf(game, player).some((seat) => outcomeOf(game, seat) === result)
}

/** Where a player sat; undefined: where anybody did. */
const seatsOf = ({ seats }: GameSummary, player: PlayerId | undefined): readonly Seat[] =>
  SEATS.filter((seat) => seats[seat] && (player === undefined || seats[seat].id === player))
