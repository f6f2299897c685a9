import type { IncomingMessage } from 'node:http'
import { PROTOCOL } from '@junqi/protocol'

/** Where the bundled page keeps its token, out of reach of scripts. */
const TOKEN_COOKIE = 'junqi_token'
const TOKEN_IN_COOKIES = new RegExp(`(?:^|; *)${TOKEN_COOKIE}=([^; ]+)`)
const YEAR_SECONDS = 365 * 24 * 3600
const SUBPROTOCOL_TOKEN = 'bearer.'

export interface Credentials {
  readonly token: string
  readonly source: 'header' | 'subprotocol' | 'cookie'
}

/** The token that came with a request; of several the first in this order. Never from its URL (F-U3). */
export function credentialsOf(request: IncomingMessage): Credentials | null {
  const bearer = bearerOf(request)
  if (bearer !== null) return { token: bearer, source: 'header' }
  const entry = subprotocols(request).find((name) => name.startsWith(SUBPROTOCOL_TOKEN))
  if (entry !== undefined)
    return { token: entry.slice(SUBPROTOCOL_TOKEN.length), source: 'subprotocol' }
  const cookie = TOKEN_IN_COOKIES.exec(request.headers.cookie ?? '')?.[1]
  return cookie === undefined ? null : { token: cookie, source: 'cookie' }
}

/** What came as `Authorization: Bearer`; null: nothing. */
export const bearerOf = ({ headers }: IncomingMessage): string | null =>
  /^bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1] ?? null

/** A token is made of characters that a cookie takes as they are. */
export function tokenCookie(token: string, { secure }: { readonly secure: boolean }): string {
  const attributes = `Path=/; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Strict`
  return `${TOKEN_COOKIE}=${token}; ${attributes}${secure ? '; Secure' : ''}`
}

export function speaksProtocol(request: IncomingMessage): boolean {
  return subprotocols(request).includes(PROTOCOL)
}

function subprotocols(request: IncomingMessage): readonly string[] {
  const offered = request.headers['sec-websocket-protocol'] ?? ''
  return offered.split(',').map((name) => name.trim())
}
