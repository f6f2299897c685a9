import type { Client, RoomWish } from '@junqi/client'
import type { Rules } from '@junqi/engine'
import type { Player, Spectators } from '@junqi/protocol'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { go } from '../app/location.ts'
import { useSubmit } from '../app/one-at-a-time.ts'
import { formatRoute, parseTableCode } from '../app/route.ts'
import { words } from '../i18n/i18n.ts'
import { attempt, notify } from '../store/notices.ts'
import { HelpLink } from './help-link.tsx'
import { PublicTables } from './public-tables.tsx'
import { PlayNow, QuickPlay } from './quick-play.tsx'
import { RecentGames } from './recent-games.tsx'
import { RecordFile } from './record-file.tsx'
import { RulesForm } from './rules-form.tsx'
import { SpectatorsField } from './spectators-field.tsx'
import { YourTables } from './your-tables.tsx'

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
        <HelpLink />
      </header>
      <PlayNow client={client} />
      <div class="columns">
        <div>
          <YourTables client={client} />
          <PublicTables client={client} />
          <RecentGames />
        </div>
        <div>
          <QuickPlay client={client} />
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

async function openTable(client: Client, wish: RoomWish): Promise<void> {
  const made = await attempt(client.createRoom(wish))
  if (made?.room == null) return
  go({ screen: 'table', room: made.room, invitation: null })
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
  const [spectators, setSpectators] = useState<Spectators>({ mode: 'public' })
  const [isPrivate, setPrivate] = useState(false)
  const submit = useSubmit(() => openTable(client, { ...rules, spectators, private: isPrivate }))
  return (
    <form class="card new-table" onSubmit={submit} data-test="new-table">
      <h2>{lobby.newTable}</h2>
      <RulesForm rules={rules} onChange={setRules} />
      <SpectatorsField spectators={spectators} onChange={setSpectators} />
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
