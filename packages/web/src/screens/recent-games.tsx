import { SEATS } from '@junqi/engine'
import type { GameSummary } from '@junqi/protocol'
import type { JSX } from 'preact'
import { formatRoute } from '../app/route.ts'
import { usePages } from '../app/use-pages.ts'
import { words } from '../i18n/i18n.ts'
import { gamesWith } from '../store/games.ts'
import { PlayerName } from './player-name.tsx'

/** Of the games that have ended, how many are asked for at once. */
const GAMES_SHOWN = 6

/** Games that have ended lately, to look at again. */
export function RecentGames(): JSX.Element | null {
  const { lobby, more: another } = words.value
  const { pages, more } = usePages((cursor) =>
    gamesWith(null).list({ limit: GAMES_SHOWN, ...(cursor !== null && { cursor }) }),
  )
  const games = pages.flatMap((page) => page.games)
  if (games.length === 0) return null
  return (
    <section class="card" data-test="recent-games">
      <h2>{lobby.recent}</h2>
      <ul class="tables">
        {games.map((game) => (
          <GameLine key={game.room} game={game} />
        ))}
      </ul>
      {more !== null && (
        <button type="button" onClick={more}>
          {another}
        </button>
      )}
    </section>
  )
}

function GameLine({ game }: { readonly game: GameSummary }) {
  const { presets, after } = words.value
  const { room, preset, seats, result } = game
  return (
    <li class="game-line">
      <a href={formatRoute({ screen: 'replay', room, share: null })}>
        <strong>{presets[preset]}</strong>
      </a>
      <span class="dots">{after.reasons[result.reason]}</span>
      <span class="seated">
        {SEATS.map((seat) => {
          const player = seats[seat]
          return player === undefined ? null : (
            <span key={seat} class={result.winners.includes(seat) ? 'winner' : ''}>
              <PlayerName player={player} />
            </span>
          )
        })}
      </span>
    </li>
  )
}
