import { gamesOf } from '@junqi/client'
import { httpError, type RoomId } from '@junqi/protocol'
import { inputFailure } from '../failure.ts'

const TIMEOUT_MS = 60_000

/** The record of an ended game, as a server gives it to one of its players. */
export async function fetchRecord(server: string, room: RoomId, token: string): Promise<unknown> {
  const { ok, body } = await read(server, `v1/games/${room}/record`, token)
  if (ok) return body
  const told = httpError.safeParse(body)
  const reason = told.success ? `${told.data.error.code}: ${told.data.error.message}` : 'no reason'
  throw inputFailure(`${server} refuses the record of ${room}: ${reason}`)
}

/** The same as QQ's `.jgs` file; null: the server says that one cannot tell the game. */
export async function fetchJgs(
  server: string,
  room: RoomId,
  token: string,
): Promise<Uint8Array | null> {
  const fetched = await gamesOf({ url: server, token }).jgs(room)
  if (fetched.ok) return fetched.value
  const { code, message } = fetched.error
  if (code === 'not_in_jgs') return null
  throw inputFailure(`${server} refuses the .jgs of ${room}: ${code}: ${message}`)
}

async function read(server: string, path: string, token: string) {
  const url = new URL(path, server.endsWith('/') ? server : `${server}/`)
  const headers = { authorization: `Bearer ${token}` }
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
    const body: unknown = await response.json()
    return { ok: response.ok, body }
  } catch (error) {
    throw inputFailure(`${url.href} cannot be read: ${error}`)
  }
}
