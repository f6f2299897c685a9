import {
  type Client,
  connect,
  createGuest,
  type HttpAccess,
  type Refusal,
  readAdmission,
  readSession,
  type Status,
} from '@junqi/client'
import type { Admission, Player, PlayerId } from '@junqi/protocol'
import { signal } from '@preact/signals'
import { IS_BUNDLED, SERVER_URL } from '../app/server.ts'
import { words } from '../i18n/i18n.ts'
import { notify } from './notices.ts'
import { followQuickPlay } from './quick-play.ts'
import { readSetting, writeSetting } from './settings.ts'

/** Who sits before the page. */
export type Session =
  /** `isRefused`: the server answers, but lets nobody in just now. */
  | { readonly state: 'looking'; readonly isRefused: boolean }
  /** `former`: who it was until the server knew it no longer; null: nobody yet. */
  | { readonly state: 'stranger'; readonly admission: Admission; readonly former: Player | null }
  | { readonly state: 'banned'; readonly why: Refusal }
  | { readonly state: 'known'; readonly player: Player; readonly client: Client }

export const session = signal<Session>({ state: 'looking', isRefused: false })

/** What the line to the server does. */
export const status = signal<Status>({ state: 'connecting', reason: null })

/** Whom the player does not hear. */
export const mutes = signal<ReadonlySet<PlayerId>>(new Set())

/** What is so at most servers, and is assumed where this one does not say. */
const ANYBODY: Admission = { guests: true, loginUrl: null }
/** How long to wait before asking again a server that did not answer. */
const ASK_AGAIN_MS = 2000

/** Of a page of another origin; the bundled page has a cookie that it cannot see. */
const storedToken = (): string | null => (IS_BUNDLED ? null : readSetting('token'))

/** Finds out who the player is, and connects. */
export async function begin(): Promise<void> {
  const token = storedToken()
  if (!IS_BUNDLED && token === null) return meetStranger(null)
  const known = await readSession(SERVER_URL, token)
  if (known.ok) welcome(known.value)
  else if (isNobodys(known.error)) await meetStranger(null)
  else if (known.error.code === 'banned') session.value = { state: 'banned', why: known.error }
  else {
    session.value = { state: 'looking', isRefused: known.error.code === 'unavailable' }
    setTimeout(begin, ASK_AGAIN_MS)
  }
}

/** Becomes a guest of this name; null: done. */
export async function enter(name: string): Promise<Refusal | null> {
  const made = await createGuest(SERVER_URL, name)
  if (!made.ok) return made.error
  if (!IS_BUNDLED) writeSetting('token', made.value.token)
  welcome({ id: made.value.id, name: made.value.name })
  return null
}

/** For what is asked over HTTP. */
export const httpAccess = (): HttpAccess => ({ url: SERVER_URL, token: storedToken() })

function welcome(player: Player): void {
  if (session.value.state === 'known') session.value.client.close()
  const client = connect({ url: SERVER_URL, token: storedToken(), clientName: 'junqi-web/0.1' })
  status.value = client.status
  client.onStatus((now) => {
    status.value = now
    if (now.state === 'online') recognise(now.player)
    else if (now.state !== 'closed') return
    else if (isNobodys(now.reason)) forget()
    else if (now.reason.code === 'banned') shutOut(now.reason)
  })
  client.onMutes((players) => {
    mutes.value = players
  })
  followQuickPlay(client.quickPlay)
  session.value = { state: 'known', player, client }
}

/** The cookie may have become another player's since: with another name typed in another tab. */
function recognise(player: Player): void {
  const now = session.value
  if (now.state !== 'known' || now.player.id === player.id) return
  session.value = { ...now, player }
  notify(words.value.lobby.otherPlayer(player.name, now.player.name))
}

/** A connection that is closed tells no reason; the session is refused with it. */
async function shutOut(why: Refusal): Promise<void> {
  session.value = { state: 'banned', why }
  const known = await readSession(SERVER_URL, storedToken())
  if (!known.ok && known.error.code === 'banned') {
    session.value = { state: 'banned', why: known.error }
  }
}

/** The token is nobody's any more, or of a kind that the server takes no more. */
const isNobodys = ({ code }: Refusal): boolean => code === 'unauthorized' || code === 'no_guests'

function forget(): void {
  writeSetting('token', null)
  const now = session.value
  void meetStranger(now.state === 'known' ? now.player : null)
}

async function meetStranger(former: Player | null): Promise<void> {
  const told = await readAdmission(SERVER_URL)
  session.value = { state: 'stranger', admission: told.ok ? told.value : ANYBODY, former }
}
