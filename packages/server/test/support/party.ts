import { SEATS } from '@junqi/engine'
import { type Guest, type RoomId, roomId } from '@junqi/protocol'
import { command } from './socket-table.ts'
import { makeGuest, TestClient } from './test-app.ts'

/** What everyone hands in. */
export const FORMATION = '963175358137B246L2LB4FL21'

export interface Setup {
  readonly preset?: 'duel' | 'siguo'
  readonly private?: boolean
  readonly options?: object
}

/** Guests, and a connection of each. */
export interface Party {
  readonly guests: readonly Guest[]
  readonly clients: readonly TestClient[]
}

export async function gather(url: string, names: readonly string[]): Promise<Party> {
  const guests = await Promise.all(names.map((name) => makeGuest(url, name)))
  const clients = await Promise.all(guests.map(({ token }) => TestClient.hello(url, token)))
  return { guests, clients }
}

/** Everyone sits down, hands in a formation, and play begins. */
export async function begin({ clients }: Party, setup: Setup = {}): Promise<RoomId> {
  const { preset = 'duel', options = {}, private: isPrivate = false } = setup
  const [host] = clients
  if (host === undefined) throw new Error('nobody')
  const made = await command(host, { type: 'createRoom', preset, options, private: isPrivate })
  const room = roomId.parse(made.room)
  const snapshot = await command(host, { type: 'subscribe', room })
  const { invitation } = snapshot.view as { invitation: string | null }
  const seats = preset === 'duel' ? ['south', 'north'] : SEATS
  for (const [n, client] of clients.entries()) {
    const sit = { type: 'sit', room, seat: seats[n] }
    await command(client, invitation === null ? sit : { ...sit, invitation })
  }
  for (const client of clients) await command(client, { type: 'ready', room })
  await command(host, { type: 'start', room })
  for (const client of clients) {
    await command(client, { type: 'submitFormation', room, formation: FORMATION })
  }
  return room
}
