import { type GameRecord, SEATS } from '@junqi/engine'
import type { GameSummary } from '@junqi/protocol'
import type { JSX } from 'preact'
import { useLoaded } from '../app/use-loaded.ts'
import { formatDate } from '../i18n/dates.ts'
import { words } from '../i18n/i18n.ts'
import { type GameAddress, gamesWith, parseRoom } from '../store/games.ts'
import { winnersOf } from './outcome-words.ts'
import { PlayerName } from './player-name.tsx'
import { RecordActions } from './record-actions.tsx'

type Props = GameAddress & { readonly record: GameRecord }

/** Who played a game and how it ended, and what can be taken of it. */
export function AboutGame({ room, share, record }: Props): JSX.Element {
  const told = useLoaded(async () => {
    const id = parseRoom(room)
    return id === null ? null : gamesWith(share).get(id)
  }, [room, share])
  return (
    <section class="card about" data-test="about">
      {told?.ok && <Facts game={told.value} />}
      <div class="actions">
        <RecordActions room={room} share={share} record={record} />
      </div>
    </section>
  )
}

function Facts({ game }: { readonly game: GameSummary }) {
  const { presets, seats, after, replay, lobby } = words.value
  const { winners, reason } = game.result
  return (
    <>
      <h2>
        {presets[game.preset]}
        {game.custom && <span class="tag">{lobby.custom}</span>}
      </h2>
      <p class="hint">{formatDate(game.endedAt)}</p>
      <ul class="who-played">
        {SEATS.map((seat) => {
          const player = game.seats[seat]
          return player === undefined ? null : (
            <li key={seat}>
              <i class={seat} aria-hidden="true" /> {seats[seat]} <PlayerName player={player} />
              {winners.includes(seat) && <span class="tag yes">{replay.winner}</span>}
            </li>
          )
        })}
      </ul>
      <p>
        {winnersOf(winners)} · {after.reasons[reason]}
      </p>
    </>
  )
}
