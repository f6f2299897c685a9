import { scoresOf } from '@junqi/client'
import { err, type Outcome, PRESET_NAMES } from '@junqi/engine'
import { type PlayedGame, type PlayerPage, playerId } from '@junqi/protocol'
import type { JSX } from 'preact'
import { formatRoute } from '../app/route.ts'
import { useLoaded } from '../app/use-loaded.ts'
import { formatDate } from '../i18n/dates.ts'
import { words } from '../i18n/i18n.ts'
import { sentenceOf } from '../store/notices.ts'
import { httpAccess } from '../store/session.ts'
import { formatChange, formatRating, formatScore } from './numbers.ts'
import { PlayerName } from './player-name.tsx'

/** What everyone may know of a player: score, title, ratings, and the last games. */
export function PlayerScreen({ id }: { readonly id: string }): JSX.Element {
  const { player, loading, home } = words.value
  const told = useLoaded(async () => {
    const parsed = playerId.safeParse(id)
    return parsed.success ? scoresOf(httpAccess()).player(parsed.data) : err(null)
  }, [id])
  if (told === null) return <p class="waiting">{loading}</p>
  if (told.ok) {
    return (
      <div class="player-screen" data-test="player-page">
        <Head page={told.value} />
        <Ratings page={told.value} />
        <History page={told.value} />
      </div>
    )
  }
  const { error } = told
  const isUnknown = error === null || error.code === 'not_found'
  return (
    <section class="card lost">
      <p role="alert">{isUnknown ? player.notFound : sentenceOf(error)}</p>
      <a href={formatRoute({ screen: 'home' })}>{home}</a>
    </section>
  )
}

interface Props {
  readonly page: PlayerPage
}

function Head({ page }: Props) {
  const { player, titles, table, home, boards } = words.value
  const { name, bot } = page.player
  const { played, won, lost, drawn, escaped } = page.counts
  return (
    <section class="card">
      <header class="line">
        <h1>{name}</h1>
        <a href={formatRoute({ screen: 'leaderboard', preset: null })}>{boards.title}</a>
        <a href={formatRoute({ screen: 'home' })}>{home}</a>
      </header>
      {bot !== undefined && <p class="hint">{table.botLevels[bot]}</p>}
      <dl class="tiles">
        <Tile name={player.rank} value={titles[page.title]} />
        <Tile name={boards.score} value={formatScore(page.score)} />
        <Tile name={player.played} value={String(played)} />
        <Tile name={player.results} value={`${won} / ${drawn} / ${lost}`} />
        <Tile name={player.escaped} value={String(escaped)} />
      </dl>
    </section>
  )
}

function Tile({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function Ratings({ page: { ratings } }: Props) {
  const { boards, presets, player } = words.value
  const rated = PRESET_NAMES.flatMap((preset) => {
    const rating = ratings[preset]
    return rating === undefined ? [] : [{ preset, ...rating }]
  })
  if (rated.length === 0) return null
  return (
    <section class="card">
      <h2>{player.ratings}</h2>
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">{player.preset}</th>
            <th scope="col">{boards.ratingShort}</th>
            <th scope="col">{boards.games}</th>
          </tr>
        </thead>
        <tbody>
          {rated.map(({ preset, ordinal, games }) => (
            <tr key={preset}>
              <td>
                <a href={formatRoute({ screen: 'leaderboard', preset })}>{presets[preset]}</a>
              </td>
              <td>{formatRating(ordinal)}</td>
              <td>{games}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function History({ page: { games, player: own } }: Props) {
  const { player } = words.value
  return (
    <section class="card">
      <h2>{player.history}</h2>
      {games.length === 0 && <p class="hint">{player.noGames}</p>}
      <ul class="games">
        {games.map((game) => (
          <GameLine key={`${game.date} ${game.room}`} game={game} own={own.id} />
        ))}
      </ul>
    </section>
  )
}

const TONES: Readonly<Record<Outcome, string>> = { won: 'good', lost: 'bad', drawn: '', void: '' }

function GameLine({ game, own }: { readonly game: PlayedGame; readonly own: string }) {
  const { player, presets, after, replay } = words.value
  const { room, outcome, delta } = game
  const others = Object.values(game.players ?? {}).filter(({ id }) => id !== own)
  return (
    <li>
      <strong class={`outcome ${TONES[outcome]}`}>{player.outcomes[outcome]}</strong>
      <span>
        {presets[game.preset]} · {after.reasons[game.reason]}
        {delta !== null && <span class="tag">{formatChange(delta)}</span>}
        {!game.scored && <span class="tag">{player.friendly}</span>}
        {game.escaped && <span class="tag warn">{player.didEscape}</span>}
      </span>
      <span class="with">
        {game.players === null && player.private}
        {others.map((other) => (
          <PlayerName key={other.id} player={other} />
        ))}
      </span>
      <small>{formatDate(game.date)}</small>
      {room !== null && (
        <a class="button" href={formatRoute({ screen: 'replay', room, share: null })}>
          {replay.title}
        </a>
      )}
    </li>
  )
}
