import type { Client } from '@junqi/client'
import { formatRoomCode, type Player, type RoomId, type RoomView } from '@junqi/protocol'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { formatRoute } from '../app/route.ts'
import { inList, words } from '../i18n/i18n.ts'
import { type OpenRoom, openRoom } from '../store/room.ts'
import { MarkedName } from './player-name.tsx'

interface Props {
  readonly client: Client
}

/** The tables where the player sits and a game is to come or going on, with how they stand, in whatever tab it plays. */
export function YourTables({ client }: Props): JSX.Element | null {
  const { lobby } = words.value
  const [rooms, setRooms] = useState<readonly RoomId[]>([])
  useEffect(() => client.onSeated(() => setRooms([...(client.seats ?? [])])), [client])
  const tables = useTables(client, rooms)
  const own = tables.filter(({ id, state, lost }) => {
    // Read here, so that it is asked again when the table has changed.
    const isKnown = state.value !== null
    return lost.value === null && (!isKnown || client.seats?.has(id) === true)
  })
  if (own.length === 0) return null
  return (
    <section class="card" data-test="your-tables">
      <h2>{lobby.yourTables}</h2>
      <ul class="tables">
        {own.map((table) => (
          <Line key={table.id} table={table} />
        ))}
      </ul>
    </section>
  )
}

/** Looks at all of the rooms for as long as they are asked for. */
function useTables(client: Client, rooms: readonly RoomId[]): readonly OpenRoom[] {
  const [tables, setTables] = useState<readonly OpenRoom[]>([])
  useEffect(() => {
    const opened = rooms.flatMap((room) => openRoom(client, room, null) ?? [])
    setTables(opened)
    return () => {
      for (const table of opened) table.close()
    }
  }, [client, rooms])
  return tables
}

function Line({ table }: { readonly table: OpenRoom }) {
  const { presets } = words.value
  const view = table.state.value?.view ?? null
  return (
    <li>
      <a href={formatRoute({ screen: 'table', room: table.id, invitation: null })}>
        <strong>{view === null ? formatRoomCode(table.id) : presets[view.rules.preset]}</strong>
        <span class="go">{standOf(view)}</span>
        {view !== null && (
          <span class="seated">
            {inList(playersIn(view), (player) => (
              <MarkedName key={player.id} player={player} />
            ))}
          </span>
        )}
      </a>
    </li>
  )
}

/** What the table waits for, where that is the player. */
function standOf(view: RoomView | null): string {
  const { lobby, play, deploy } = words.value
  const seat = view?.you.seat ?? null
  if (view === null || seat === null) return lobby.goOn
  if (view.phase === 'deployment' && view.seats[seat]?.ready === false) return deploy.title
  return view.game?.toMove === seat ? play.yourTurn : lobby.goOn
}

const playersIn = ({ seats }: RoomView): readonly Player[] =>
  Object.values(seats).flatMap((occupant) => (occupant === null ? [] : [occupant.player]))
