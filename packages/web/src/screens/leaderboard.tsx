import { scoresOf } from '@junqi/client'
import { PRESET_NAMES, type PresetName } from '@junqi/engine'
import type { Leaderboard } from '@junqi/protocol'
import type { JSX } from 'preact'
import { go } from '../app/location.ts'
import { formatRoute } from '../app/route.ts'
import { usePages } from '../app/use-pages.ts'
import { words } from '../i18n/i18n.ts'
import { sentenceOf } from '../store/notices.ts'
import { httpAccess, session } from '../store/session.ts'
import { formatRating, formatScore } from './numbers.ts'
import { PlayerName } from './player-name.tsx'

/** Who is best: by score, or by the rating in a preset. */
export function LeaderboardScreen({ preset }: { readonly preset: string | null }): JSX.Element {
  const { boards, presets, home } = words.value
  const known = PRESET_NAMES.find((name) => name === preset) ?? null
  return (
    <section class="card board-list" data-test="leaderboard">
      <header class="line">
        <h1>{boards.title}</h1>
        <a href={formatRoute({ screen: 'home' })}>{home}</a>
      </header>
      <label class="line">
        {boards.by}
        <select
          value={known ?? ''}
          data-test="board"
          onChange={(event) =>
            go({ screen: 'leaderboard', preset: event.currentTarget.value || null })
          }
        >
          <option value="">{boards.score}</option>
          {PRESET_NAMES.map((name) => (
            <option key={name} value={name}>
              {boards.rating(presets[name])}
            </option>
          ))}
        </select>
      </label>
      <p class="hint">{known === null ? boards.scoreText : boards.ratingText}</p>
      <Lines key={known} preset={known} />
    </section>
  )
}

function Lines({ preset }: { readonly preset: PresetName | null }) {
  const { boards, loading, more: another } = words.value
  const { pages, problem, more } = usePages((cursor) =>
    scoresOf(httpAccess()).leaderboard({
      ...(preset === null ? { by: 'score' } : { by: 'rating', preset }),
      ...(cursor !== null && { cursor }),
    }),
  )
  const lines = pages.flatMap(linesOf)
  if (problem !== null && lines.length === 0) return <p role="alert">{sentenceOf(problem)}</p>
  if (pages.length === 0) return <p class="hint">{loading}</p>
  if (lines.length === 0) return <p class="hint">{boards.nobody}</p>
  return (
    <>
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">{boards.rank}</th>
            <th scope="col">{boards.player}</th>
            <th scope="col">{preset === null ? boards.score : boards.ratingShort}</th>
            <th scope="col">{preset === null ? boards.titleOf : boards.games}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ rank, player, figure, beside }) => (
            <tr key={player.id} aria-current={isMe(player.id) ? 'true' : undefined}>
              <td>{rank}</td>
              <td>
                <PlayerName player={player} />
              </td>
              <td>{figure}</td>
              <td>{beside}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more !== null && (
        <button type="button" onClick={more} data-test="more">
          {another}
        </button>
      )}
    </>
  )
}

function isMe(id: string): boolean {
  const now = session.value
  return now.state === 'known' && now.player.id === id
}

/** The lines of either board in one form. */
function linesOf(board: Leaderboard) {
  const { titles } = words.value
  return board.by === 'score'
    ? board.players.map(({ rank, player, score, title }) => ({
        rank,
        player,
        figure: formatScore(score),
        beside: titles[title],
      }))
    : board.players.map(({ rank, player, rating }) => ({
        rank,
        player,
        figure: formatRating(rating.ordinal),
        beside: String(rating.games),
      }))
}
