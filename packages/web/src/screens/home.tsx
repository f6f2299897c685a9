import type { Client, QuickPlayStatus } from '@junqi/client'
import { type PresetName, type Rules, SEATS } from '@junqi/engine'
import {
  formatRoomCode,
  type GameSummary,
  type ListedRoom,
  type Player,
  type RoomId,
} from '@junqi/protocol'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { go } from '../app/location.ts'
import { formatRoute, parseTableCode } from '../app/route.ts'
import { usePages } from '../app/use-pages.ts'
import { words } from '../i18n/i18n.ts'
import { gamesWith } from '../store/games.ts'
import { attempt, notify } from '../store/notices.ts'
import { PlayerName } from './player-name.tsx'
import { RecordFile } from './record-file.tsx'
import { RulesForm } from './rules-form.tsx'

interface Props {
  readonly client: Client
  readonly player: Player
}

export function Home({ client, player }: Props): JSX.Element {
  const { lobby, boards } = words.value
  return (
    <div class="home">
      <header class="line">
        <h1>{lobby.hello(player.name)}</h1>
        <a href={formatRoute({ screen: 'player', id: player.id })}>{lobby.yourPage}</a>
        <a href={formatRoute({ screen: 'leaderboard', preset: null })}>{boards.title}</a>
      </header>
      <PlayNow client={client} />
      <div class="columns">
        <div>
          <YourTables client={client} />
          <OpenTables client={client} />
          <RecentGames />
        </div>
        <div>
          <CodeForm />
          <NewTable client={client} />
          <section class="card">
            <RecordFile />
          </section>
        </div>
      </div>
    </div>
  )
}

async function openTable(
  client: Client,
  rules: Rules,
  { isPrivate }: { readonly isPrivate: boolean },
): Promise<void> {
  const made = await attempt(client.createRoom({ ...rules, private: isPrivate }))
  if (made?.room == null) return
  go({ screen: 'table', room: made.room, invitation: null })
}

/** Of the games that have ended, how many are asked for at once. */
const GAMES_SHOWN = 6

/** What can be played at once. */
const QUICK: readonly PresetName[] = ['siguo', 'duel', 'flip']

/** Bots take the empty seats at once, or never. */
const WITH_BOTS = { rated: false, bots: { afterSeconds: 0, level: 'normal' } } as const
const WITH_PEOPLE = { bots: 'never' } as const

function PlayNow({ client }: Pick<Props, 'client'>) {
  const { lobby, presets, presetTexts } = words.value
  const status = useQuickPlay(client)
  const isWaiting = status?.state === 'waiting' || status?.state === 'inviting'
  if (isWaiting && status.preset !== null) {
    return (
      <section class="play-now waiting-for" role="status" data-test="waiting">
        <p>{lobby.waitingForPeople(presets[status.preset])}</p>
        <button type="button" onClick={() => attempt(client.quickPlay.cancel())}>
          {lobby.stopWaiting}
        </button>
      </section>
    )
  }
  return (
    <section class="play-now" aria-label={lobby.playNow}>
      {QUICK.map((preset) => (
        <article key={preset} class={`big ${preset}`}>
          <h2>{presets[preset]}</h2>
          <p>{presetTexts[preset]}</p>
          <div class="actions">
            <button
              type="button"
              data-test={`bots-${preset}`}
              aria-label={`${presets[preset]}: ${lobby.withBots}`}
              onClick={() => attempt(client.quickPlay.join({ preset, ...WITH_BOTS }))}
            >
              {lobby.withBots}
            </button>
            <button
              type="button"
              data-test={`people-${preset}`}
              aria-label={`${presets[preset]}: ${lobby.withPeople}`}
              onClick={() => attempt(client.quickPlay.join({ preset, ...WITH_PEOPLE }))}
            >
              {lobby.withPeople}
            </button>
          </div>
        </article>
      ))}
    </section>
  )
}

/** How the wish to play stands; who is matched goes to the table. */
function useQuickPlay({ quickPlay }: Client): QuickPlayStatus | null {
  const [status, setStatus] = useState(quickPlay.status)
  useEffect(
    () =>
      quickPlay.onChange((now) => {
        setStatus(now)
        if (now.state !== 'matched' || now.room === null) return
        go({ screen: 'table', room: now.room, invitation: null })
      }),
    [quickPlay],
  )
  return status
}

/** Games that have ended lately, to look at again. */
function RecentGames() {
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

function YourTables({ client }: Pick<Props, 'client'>) {
  const { lobby } = words.value
  const [rooms, setRooms] = useState<readonly RoomId[]>([])
  useEffect(() => client.onSeated(() => setRooms([...(client.seats ?? [])])), [client])
  if (rooms.length === 0) return null
  return (
    <section class="card">
      <h2>{lobby.yourTables}</h2>
      <ul class="tables">
        {rooms.map((room) => (
          <li key={room}>
            <a href={formatRoute({ screen: 'table', room, invitation: null })}>
              <strong>{formatRoomCode(room)}</strong>
              <span class="go">{lobby.goOn}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function OpenTables({ client }: Pick<Props, 'client'>) {
  const { lobby } = words.value
  const [rooms, setRooms] = useState<readonly ListedRoom[]>([])
  useEffect(() => {
    const list = client.lobby()
    const stop = list.onChange(setRooms)
    return () => {
      stop()
      list.close()
    }
  }, [client])
  const open = rooms.filter(({ phase }) => phase === 'lobby')
  return (
    <section class="card" data-test="open-tables">
      <h2>{lobby.openTables}</h2>
      {open.length === 0 && <p class="hint">{lobby.noTables}</p>}
      <ul class="tables">
        {open.map((listed) => (
          <TableLine key={listed.room} listed={listed} />
        ))}
      </ul>
    </section>
  )
}

function TableLine({ listed }: { readonly listed: ListedRoom }) {
  const { lobby, presets } = words.value
  const seated = listed.seats.flatMap(({ player }) => (player === null ? [] : [player.name]))
  return (
    <li>
      <a href={formatRoute({ screen: 'table', room: listed.room, invitation: null })}>
        <strong>
          {presets[listed.preset]}
          {listed.custom && ' *'}
        </strong>
        <span class="seated">{seated.join('、')}</span>
        <span
          class="dots"
          aria-label={lobby.seatsTaken(seated.length, listed.seats.length)}
          role="img"
        >
          {listed.seats.map(({ seat, player }) => (
            <i key={seat} class={`${seat} ${player === null ? 'free' : 'taken'}`} />
          ))}
        </span>
      </a>
    </li>
  )
}

function CodeForm() {
  const { lobby } = words.value
  const [code, setCode] = useState('')
  const submit = (event: Event): void => {
    event.preventDefault()
    const table = parseTableCode(code)
    if (table === null) notify(lobby.badCode)
    else go(table)
  }
  return (
    <form class="card" onSubmit={submit}>
      <label for="code">{lobby.code}</label>
      <div class="line">
        <input
          id="code"
          value={code}
          autocomplete="off"
          placeholder="K7W2-M9QX"
          onInput={(event) => setCode(event.currentTarget.value)}
        />
        <button type="submit">{lobby.join}</button>
      </div>
    </form>
  )
}

function NewTable({ client }: Pick<Props, 'client'>) {
  const { lobby } = words.value
  const [rules, setRules] = useState<Rules>({ preset: 'siguo', options: {} })
  const [isPrivate, setPrivate] = useState(false)
  const submit = (event: Event): void => {
    event.preventDefault()
    openTable(client, rules, { isPrivate })
  }
  return (
    <form class="card new-table" onSubmit={submit} data-test="new-table">
      <h2>{lobby.newTable}</h2>
      <RulesForm rules={rules} onChange={setRules} />
      <label class="check">
        <input
          type="checkbox"
          checked={isPrivate}
          onChange={(event) => setPrivate(event.currentTarget.checked)}
        />
        {lobby.isPrivate}
      </label>
      <button type="submit" class="primary">
        {lobby.create}
      </button>
    </form>
  )
}
