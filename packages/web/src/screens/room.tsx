import type { Client } from '@junqi/client'
import type { Player, RoomId, RoomView, ViewedEvent } from '@junqi/protocol'
import type { ComponentChildren, ComponentType, JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { arriveAt } from '../app/focus.ts'
import { formatRoute } from '../app/route.ts'
import { words } from '../i18n/i18n.ts'
import { play } from '../sound/sound.ts'
import { parseRoom } from '../store/games.ts'
import { dismissOlder, notify, sentenceOf } from '../store/notices.ts'
import { type OpenRoom, openRoom } from '../store/room.ts'
import { Deploy } from './deploy.tsx'
import { Play } from './play.tsx'
import { type RoomProps, Table } from './table.tsx'
import { tableNews } from './table-news.ts'

interface Props {
  readonly client: Client
  readonly code: string
  readonly invitation: string | null
  readonly me: Player
}

/** A table, whatever its phase is; a code that can be no table's is told at once. */
export function Room({ code, ...others }: Props): JSX.Element {
  const id = parseRoom(code)
  if (id === null) return <Lost why={words.value.errors.room_not_found} />
  return <FoundRoom id={id} {...others} />
}

type FoundProps = Omit<Props, 'code'> & { readonly id: RoomId }

function FoundRoom({ client, id, invitation, me }: FoundProps) {
  /** null: not opened yet. */
  const [room, setRoom] = useState<OpenRoom | null>(null)
  useEffect(() => {
    const opened = openRoom(client, id, invitation)
    setRoom(opened)
    const deaf = opened.onEvents((events) => soundOf(events))
    return () => {
      deaf()
      opened.close()
    }
  }, [client, id, invitation])
  if (room === null) return <p class="waiting">{words.value.loading}</p>
  return <OpenedRoom room={room} me={me} />
}

function Lost({ why }: { readonly why: string }) {
  const { table, home } = words.value
  return (
    <section class="card lost" data-test="lost">
      <h1>{table.lost}</h1>
      <p>{why}</p>
      <a href={formatRoute({ screen: 'home' })}>{home}</a>
    </section>
  )
}

function OpenedRoom({ room, me }: { readonly room: OpenRoom; readonly me: Player }) {
  const state = room.state.value
  const lost = room.lost.value
  useEffect(
    () =>
      room.onEvents((events, view) => {
        for (const news of tableNews(events, view, me.id)) notify(words.value.table.news[news])
      }),
    [room, me.id],
  )
  if (lost !== null) return <Lost why={sentenceOf(lost)} />
  if (state === null) return <p class="waiting">{words.value.loading}</p>
  const { view } = state
  const Phase = PHASES[view.phase]
  return (
    <Arrival phase={view.phase}>
      <Phase room={room} view={view} me={me} />
    </Arrival>
  )
}

const PHASES: Readonly<Record<RoomView['phase'], ComponentType<RoomProps>>> = {
  lobby: Table,
  deployment: Deploy,
  playing: Play,
  finished: Play,
}

interface ArrivalProps {
  readonly phase: RoomView['phase']
  readonly children: ComponentChildren
}

/** Each phase is shown from its start, for the clock runs already, and is where the keyboard goes on. */
function Arrival({ phase, children }: ArrivalProps) {
  const here = useRef<HTMLDivElement>(null)
  useEffect(() => {
    dismissOlder()
    // The end is shown by the result itself, which is not where the board is.
    if (phase !== 'finished') arriveAt(here.current)
  }, [phase])
  return (
    <div ref={here} class="arrival" tabIndex={-1}>
      {children}
    </div>
  )
}

function soundOf(events: readonly ViewedEvent[]): void {
  const types = new Set(events.map(({ type }) => type))
  if (types.has('gameEnded')) play('end')
  else if (types.has('pieceAttacked')) play('attack')
  else if (types.has('pieceMoved')) play('move')
  else if (types.has('gameStarted')) play('turn')
}
