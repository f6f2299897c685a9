import { InvariantError, type PerSeat, SEATS, type Seat } from '@junqi/engine'
import { type GameSummary, gameSummary, type Player, type PlayerId } from '@junqi/protocol'
import type { EndedGame } from '../outbox/ended-game.ts'
import type { ArchiveList, IndexedGame, ServiceTime } from '../ports.ts'
import { isCustom } from '../room/custom-rules.ts'

/** The lists of the archive. What is private is in its players' own lists alone. */
export const LISTS = {
  /** All public games. */
  public: 'public',
  /** A player's public games. */
  of: (player: PlayerId): ArchiveList => `of:${player}`,
  /** A player's games, for that player. */
  own: (player: PlayerId): ArchiveList => `own:${player}`,
  /** All games, the oldest first, by service time. */
  ages: 'ages',
} as const

export function summaryOf({
  room,
  state,
  game,
  record,
  startedAt,
  endedAt,
}: EndedGame): GameSummary {
  const { preset, options } = state.rules
  return {
    room,
    preset,
    custom: isCustom(options),
    private: state.invitation !== null,
    seats: playersOf(state.seats),
    result: { winners: game.result.winners, reason: game.result.reason },
    actions: record.actions.length,
    startedAt: Math.max(startedAt, 0),
    endedAt: Math.max(endedAt, 0),
  }
}

function playersOf(seats: EndedGame['state']['seats']): PerSeat<Player> {
  const players: { [S in Seat]?: Player } = {}
  for (const seat of SEATS) {
    const occupant = seats[seat]
    if (occupant !== null) players[seat] = occupant.player
  }
  return players
}

/** The game as the index keeps it. */
export function indexedGame(game: EndedGame): IndexedGame {
  const summary = summaryOf(game)
  const { room } = game
  const place = `${placeOfDate(summary.endedAt)}${room}`
  const isPublic = !summary.private
  const players = Object.values(summary.seats).map(({ id }) => id)
  const lists = [
    ...(isPublic ? [LISTS.public] : []),
    ...players.flatMap((player) =>
      isPublic ? [LISTS.own(player), LISTS.of(player)] : [LISTS.own(player)],
    ),
  ]
  const places = Object.fromEntries(lists.map((list) => [list, place]))
  places[LISTS.ages] = `${placeOfAge(game.at)}${room}`
  return { room, places, summary: JSON.stringify(summary) }
}

export function parseSummary({ summary }: IndexedGame): GameSummary {
  const parsed = gameSummary.safeParse(JSON.parse(summary))
  if (!parsed.success) throw new InvariantError('a game of the archive is not of its form')
  return parsed.data
}

const DIGITS = 15
const LATEST = 10 ** DIGITS - 1

/** The later, the smaller: lists are read from the newest on. */
export const placeOfDate = (date: number): string => placeOfAge(LATEST - Math.floor(date))
export const placeOfAge = (at: ServiceTime): string => String(at).padStart(DIGITS, '0')
