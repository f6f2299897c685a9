import type { IncomingMessage } from 'node:http'
import { fastifyCookie } from '@fastify/cookie'
import { PROTOCOL } from '@junqi/protocol'

/** Where the bundled page keeps its token, out of reach of scripts. */
export const TOKEN_COOKIE = 'junqi_token'
const YEAR = 365 * 24 * 3600
const SUBPROTOCOL_TOKEN = 'bearer.'

export interface Credentials {
  readonly token: string
  readonly source: 'header' | 'subprotocol' | 'cookie'
}

/** The token that came with a request; of several the first in this order. Never from its URL (F-U3). */
export function credentialsOf(request: IncomingMessage): Credentials | null {
  const bearer = /^bearer +(.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (bearer !== undefined) return { token: bearer, source: 'header' }
  const entry = subprotocols(request).find((name) => name.startsWith(SUBPROTOCOL_TOKEN))
  if (entry !== undefined)
    return { token: entry.slice(SUBPROTOCOL_TOKEN.length), source: 'subprotocol' }
  const cookie = fastifyCookie.parse(request.headers.cookie ?? '')[TOKEN_COOKIE]
  return cookie === undefined ? null : { token: cookie, source: 'cookie' }
}

export function tokenCookie(token: string, options: { readonly secure: boolean }): string {
  return fastifyCookie.serialize(TOKEN_COOKIE, token, {
    httpOnly: true,
    sameSite: 'strict',
    secure: options.secure,
    path: '/',
    maxAge: YEAR,
  })
}

export function speaksProtocol(request: IncomingMessage): boolean {
  return subprotocols(request).includes(PROTOCOL)
}

function subprotocols(request: IncomingMessage): readonly string[] {
  const offered = request.headers['sec-websocket-protocol'] ?? ''
  return offered.split(',').map((name) => name.trim())
}
