import { PRESET_NAMES, SEATS, titleOf } from '@junqi/engine'
import type {
  GameScore,
  Leaderboard,
  LeaderboardQuery,
  Player,
  PlayerId,
  PlayerPage,
  RoomId,
  SeatScores,
} from '@junqi/protocol'
import type { BoardLine, PlayerStore, ScoreStore, Tally } from '../ports.ts'
import { parseRatingLine, parseScoreLine, ratingBoard, SCORE_BOARD } from './boards.ts'
import { viewHistoryLine } from './history.ts'
import { ratingOf } from './rating.ts'
import { decodeSettlement, type SettledSeat, type Settlement } from './settlement.ts'
import { countsIn, gamesIn, scoreIn, skillIn } from './tally.ts'

/** Games on a player's page. */
const SHOWN_GAMES = 20

/** What everyone may know of players and of the games that they have played. */
export class ScoreReader {
  readonly #store: ScoreStore & Pick<PlayerStore, 'findPlayer'>

  constructor(store: ScoreStore & Pick<PlayerStore, 'findPlayer'>) {
    this.#store = store
  }

  /** A player's page, for a viewer; null: there is no such player. */
  async page(id: PlayerId, viewer: PlayerId | null): Promise<PlayerPage | null> {
    const [record, tally, games] = await Promise.all([
      this.#store.findPlayer(id),
      this.#store.tally(id),
      this.#store.recentGames(id, SHOWN_GAMES),
    ])
    if (record === null) return null
    const { name, bot } = record
    const score = scoreIn(tally)
    return {
      player: { id, name, ...(bot !== undefined && { bot }) },
      score,
      title: titleOf(score),
      counts: countsIn(tally),
      ratings: ratingsIn(tally),
      games: games.map((line) => viewHistoryLine(line, viewer)),
    }
  }

  async leaderboard(query: LeaderboardQuery): Promise<Leaderboard> {
    const { limit } = query
    const { before, after } = cursorOf(query.cursor)
    const board = query.by === 'score' ? SCORE_BOARD : ratingBoard(query.preset)
    // One more than are told: whether there is a next page.
    const found = await this.#store.board(board, after, limit + 1)
    const lines = found.slice(0, limit)
    const last = found.length > limit ? lines.at(-1) : undefined
    const next = last === undefined ? null : `${before + limit}-${last.place}`
    const ranked = <Line>(tell: (line: BoardLine) => Line) =>
      lines.map((line, n) => ({ rank: before + n + 1, ...tell(line) }))
    return query.by === 'score'
      ? { by: 'score', players: ranked(tellScore), next }
      : { by: 'rating', preset: query.preset, players: ranked(tellRating), next }
  }

  /** What was settled of a room's game. */
  async gameScore(room: RoomId): Promise<GameScore> {
    const settled = await this.#settlement(room)
    const seats = settled === null ? {} : seatScoresOf(settled)
    return { room, settled: settled !== null, scored: settled?.scored ?? false, seats }
  }

  async #settlement(room: RoomId): Promise<Settlement | null> {
    const text = await this.#store.settlement(room)
    return text === null ? null : decodeSettlement(text)
  }
}

function ratingsIn(tally: Tally): PlayerPage['ratings'] {
  const rated = PRESET_NAMES.filter((preset) => gamesIn(tally, preset) > 0)
  return Object.fromEntries(
    rated.map((preset) => {
      const games = gamesIn(tally, preset)
      return [preset, { ...ratingOf(skillIn(tally, preset)), games }]
    }),
  )
}

/** How many lines came before, and the place of the last of them. */
function cursorOf(cursor: string | undefined): { readonly before: number; readonly after: string } {
  const [before = '0', after = ''] = cursor?.split('-') ?? []
  return { before: Number(before), after }
}

interface Leader {
  readonly player: Player
}

function tellScore(line: BoardLine): Leader & { score: number; title: PlayerPage['title'] } {
  const { player, score } = parseScoreLine(line)
  return { player, score, title: titleOf(score) }
}

function tellRating(line: BoardLine) {
  const { player, skill, games } = parseRatingLine(line)
  return { player, rating: { ...ratingOf(skill), games } }
}

/** As everyone is told who may see the room; empty: a friendly game. */
export function seatScoresOf({ seats }: Pick<Settlement, 'seats'>): SeatScores {
  return Object.fromEntries(
    SEATS.flatMap((seat) => {
      const settled = seats[seat]
      return settled?.change ? [[seat, seatScoreOf(settled, settled.change)]] : []
    }),
  )
}

function seatScoreOf(
  { player, outcome, escaped }: SettledSeat,
  { score, delta, skill, skillDelta }: NonNullable<SettledSeat['change']>,
): NonNullable<SeatScores['south']> {
  const after = score + delta
  const added = {
    mu: skill.mu + (skillDelta?.mu ?? 0),
    sigma: skill.sigma + (skillDelta?.sigma ?? 0),
  }
  const rating = ratingOf(added)
  return {
    player: player.id,
    score: after,
    delta,
    title: titleOf(after),
    rating,
    ratingDelta: Math.round((rating.ordinal - ratingOf(skill).ordinal) * 1000) / 1000,
    outcome,
    escaped,
  }
}
