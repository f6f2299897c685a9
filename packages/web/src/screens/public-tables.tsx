import type { Client } from '@junqi/client'
import type { ListedRoom } from '@junqi/protocol'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { formatRoute } from '../app/route.ts'
import { inList, words } from '../i18n/i18n.ts'
import { MarkedName } from './player-name.tsx'

/** Tables where one can sit down, and games where one can look on, as they change. */
export function PublicTables({ client }: { readonly client: Client }): JSX.Element {
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
  const running = rooms.filter(
    ({ room, phase, spectators }) =>
      phase !== 'lobby' && spectators !== 'none' && client.seats?.has(room) !== true,
  )
  return (
    <>
      <section class="card" data-test="open-tables">
        <h2>{lobby.openTables}</h2>
        {open.length === 0 && <p class="hint">{lobby.noTables}</p>}
        <TableList rooms={open} />
      </section>
      {running.length > 0 && (
        <section class="card" data-test="running-games">
          <h2>{lobby.running}</h2>
          <TableList rooms={running} />
        </section>
      )}
    </>
  )
}

/** How many tables are shown at first, and how many more each time. */
const SHOWN = 12

function TableList({ rooms }: { readonly rooms: readonly ListedRoom[] }) {
  const { more } = words.value
  const [shown, setShown] = useState(SHOWN)
  return (
    <>
      <ul class="tables">
        {rooms.slice(0, shown).map((listed) => (
          <TableLine key={listed.room} listed={listed} />
        ))}
      </ul>
      {rooms.length > shown && (
        <button type="button" onClick={() => setShown(shown + SHOWN)}>
          {more}
        </button>
      )}
    </>
  )
}

function TableLine({ listed }: { readonly listed: ListedRoom }) {
  const { lobby, presets, spectators } = words.value
  const seated = listed.seats.flatMap(({ player }) => (player === null ? [] : [player]))
  return (
    <li>
      <a href={formatRoute({ screen: 'table', room: listed.room, invitation: null })}>
        <strong>
          {presets[listed.preset]}
          {listed.custom && <span class="tag">{lobby.custom}</span>}
        </strong>
        <span class="seated">
          {inList(seated, (player) => (
            <MarkedName key={player.id} player={player} />
          ))}
        </span>
        {listed.phase === 'lobby' ? (
          <span
            class="dots"
            aria-label={lobby.seatsTaken(seated.length, listed.seats.length)}
            role="img"
          >
            {listed.seats.map(({ seat, player }) => (
              <i key={seat} class={`${seat} ${player === null ? 'free' : 'taken'}`} />
            ))}
          </span>
        ) : (
          <span class="dots">
            {listed.spectators === 'delayed' ? spectators.modes.delayed : lobby.watch}
          </span>
        )}
      </a>
    </li>
  )
}
