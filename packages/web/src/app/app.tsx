import type { Refusal } from '@junqi/client'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { switchLanguage, words } from '../i18n/i18n.ts'
import { HelpLink } from '../screens/help-link.tsx'
import { Home } from '../screens/home.tsx'
import { PairInvitation } from '../screens/pair.tsx'
import { Waiting } from '../screens/waiting.tsx'
import { Welcome } from '../screens/welcome.tsx'
import { isSoundOn, toggleSound } from '../sound/sound.ts'
import { dismiss, dismissOlder, notices, sentenceOf } from '../store/notices.ts'
import { session, status } from '../store/session.ts'
import { arriveAt } from './focus.ts'
import { lazy } from './lazy.tsx'
import { route } from './location.ts'
import { formatRoute } from './route.ts'
import { nextTheme, theme } from './theme.ts'

const loadRoom = async () => (await import('../screens/room.tsx')).Room

/** With the table come the boards, with the replay viewer the whole rules. */
const Room = lazy(loadRoom)
const Replay = lazy(async () => (await import('../screens/replay.tsx')).Replay)
const FileReplay = lazy(async () => (await import('../screens/replay.tsx')).FileReplay)
const Help = lazy(async () => (await import('../screens/help.tsx')).Help)
const PlayerScreen = lazy(async () => (await import('../screens/player.tsx')).PlayerScreen)
const Leaderboard = lazy(async () => (await import('../screens/leaderboard.tsx')).LeaderboardScreen)

export function App(): JSX.Element {
  const main = useRef<HTMLElement>(null)
  const wasAt = useRef(route.value)
  useEffect(() => {
    // Not at the first: who has just opened the page begins at its top.
    if (wasAt.current !== route.value) {
      arriveAt(main.current)
      dismissOlder()
    }
    wasAt.current = route.value
  }, [route.value])
  useEffect(() => {
    // Who has come will sit down soon; if it fails now, it is loaded then.
    loadRoom().catch(() => {})
  }, [])
  return (
    <>
      <Header />
      <Banner />
      <Waiting />
      <main id="main" ref={main} tabIndex={-1}>
        <Screen />
      </main>
      <Notices />
    </>
  )
}

function Header() {
  const { title, home, otherLanguage, switchLanguage: hint, theme: themes, sound } = words.value
  const now = session.value
  return (
    <header class="top">
      <a class="brand" href={formatRoute({ screen: 'home' })} title={home}>
        <span class="seal" aria-hidden="true">
          军
        </span>
        <span class="brand-name">{title}</span>
      </a>
      {now.state === 'known' && (
        <a class="me" href={formatRoute({ screen: 'player', id: now.player.id })}>
          {now.player.name}
        </a>
      )}
      <span class="spacer" />
      <HelpLink />
      <button type="button" class="quiet" onClick={toggleSound} aria-pressed={isSoundOn.value}>
        {isSoundOn.value ? sound.on : sound.off}
      </button>
      <button
        type="button"
        class="quiet"
        onClick={nextTheme}
        title={themes.label}
        aria-label={`${themes.label}: ${themes[theme.value]}`}
      >
        {themes[theme.value]}
      </button>
      <button
        type="button"
        class="quiet"
        onClick={switchLanguage}
        title={hint}
        data-test="language"
      >
        {otherLanguage}
      </button>
    </header>
  )
}

/** What is wrong with the connection, for as long as it is. */
function Banner() {
  const { connection } = words.value
  const now = status.value
  if (session.value.state !== 'known' || now.state === 'online') return <div role="status" />
  const text =
    now.state === 'closed'
      ? connection.closed(sentenceOf(now.reason))
      : now.reason !== null
        ? connection.refused
        : now.state === 'waiting'
          ? connection.waiting
          : connection.connecting
  return (
    <div
      class={now.state === 'closed' ? 'banner closed' : 'banner'}
      role="status"
      data-test="banner"
    >
      {text}
      {now.state === 'closed' && (
        <button type="button" onClick={() => location.reload()}>
          {connection.reload}
        </button>
      )}
    </div>
  )
}

function Screen() {
  const now = session.value
  const at = route.value
  // Records and what players have come to are looked at by anyone, without a name.
  if (at.screen === 'file') return <FileReplay />
  if (at.screen === 'replay') return <Replay key={at.room} room={at.room} share={at.share} />
  if (at.screen === 'player') return <PlayerScreen key={at.id} id={at.id} />
  if (at.screen === 'help') return <Help />
  if (at.screen === 'leaderboard') return <Leaderboard preset={at.preset} />
  if (now.state === 'looking') {
    const { loading, connection } = words.value
    return <p class="waiting">{now.isRefused ? connection.refused : loading}</p>
  }
  if (now.state === 'banned') return <ShutOut why={now.why} />
  if (now.state === 'stranger') return <Welcome admission={now.admission} former={now.former} />
  if (at.screen === 'home') return <Home client={now.client} player={now.player} />
  if (at.screen === 'pair') return <PairInvitation client={now.client} code={at.code} />
  return (
    <Room
      key={at.room}
      client={now.client}
      code={at.room}
      invitation={at.invitation}
      me={now.player}
    />
  )
}

function ShutOut({ why }: { readonly why: Refusal }) {
  return (
    <p class="waiting" role="alert" data-test="shut-out">
      {sentenceOf(why)}
    </p>
  )
}

function Notices() {
  return (
    <div class="notices" role="alert">
      {notices.value.map(({ id, text }) => (
        <button type="button" key={id} onClick={() => dismiss(id)} aria-label={text}>
          {text}
        </button>
      ))}
    </div>
  )
}
