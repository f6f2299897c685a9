import { PRESETS, randomFormation } from '@junqi/engine'
import { expect } from 'vitest'
import type { Message, TestClient } from './test-app.ts'

type Preset = 'duel' | 'siguo' | 'flip'

/** A new room in which each client watches and sits; the first is its host. `wish`: what of it is otherwise. */
export async function seatedRoom(
  clients: readonly TestClient[],
  preset: Preset,
  wish: Message = {},
): Promise<string> {
  const [host] = clients
  if (host === undefined) throw new Error('a room has a host')
  const made = await command(host, {
    type: 'createRoom',
    preset,
    options: {},
    private: false,
    ...wish,
  })
  const room = String(made.room)
  const { seats } = PRESETS[preset]
  for (const [n, client] of clients.entries()) {
    await command(client, { type: 'subscribe', room })
    await command(client, { type: 'sit', room, seat: seats[n] })
  }
  return room
}

export async function startRoom(clients: readonly TestClient[], room: string): Promise<void> {
  for (const client of clients) await command(client, { type: 'ready', room })
  if (clients[0] !== undefined) await command(clients[0], { type: 'start', room })
}

/** Everyone hands in a formation; play begins. */
export async function deploy(
  clients: readonly TestClient[],
  room: string,
  { preset, random }: { readonly preset: Preset; readonly random: () => number },
): Promise<readonly string[]> {
  const formations = clients.map(() => randomFormation(PRESETS[preset], random))
  for (const [n, client] of clients.entries()) {
    await command(client, { type: 'submitFormation', room, formation: formations[n] })
  }
  return formations
}

let commands = 0
/** Sends a command that must be accepted, and gives the reply. */
export async function command(client: TestClient, message: Message): Promise<Message> {
  const id = `set${commands++}`
  client.send({ ...message, id })
  const reply = await client.reply(id)
  expect(reply).not.toMatchObject({ type: 'error' })
  return reply
}
