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
import { followQuickPlay } from './quick-play.ts'
import { readSetting, writeSetting } from './settings.ts'

/** Who sits before the page. */
export type Session =
  | { readonly state: 'looking' }
  | { readonly state: 'stranger'; readonly admission: Admission }
  | { readonly state: 'banned'; readonly why: Refusal }
  | { readonly state: 'known'; readonly player: Player; readonly client: Client }

export const session = signal<Session>({ state: 'looking' })

/** What the line to the server does. */
export const status = signal<Status>({ state: 'connecting' })

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
  if (!IS_BUNDLED && token === null) return meetStranger()
  const known = await readSession(SERVER_URL, token)
  if (known.ok) welcome(known.value)
  else if (isNobodys(known.error)) await meetStranger()
  else if (known.error.code === 'banned') session.value = { state: 'banned', why: known.error }
  else setTimeout(begin, ASK_AGAIN_MS)
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
  const client = connect({ url: SERVER_URL, token: storedToken(), clientName: 'junqi-web/0.1' })
  status.value = client.status
  client.onStatus((now) => {
    status.value = now
    if (now.state === 'closed' && isNobodys(now.reason)) forget()
  })
  client.onMutes((players) => {
    mutes.value = players
  })
  followQuickPlay(client.quickPlay)
  session.value = { state: 'known', player, client }
}

/** The token is nobody's any more, or of a kind that the server takes no more. */
const isNobodys = ({ code }: Refusal): boolean => code === 'unauthorized' || code === 'no_guests'

function forget(): void {
  writeSetting('token', null)
  void meetStranger()
}

async function meetStranger(): Promise<void> {
  const told = await readAdmission(SERVER_URL)
  session.value = { state: 'stranger', admission: told.ok ? told.value : ANYBODY }
}
