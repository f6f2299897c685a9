import { SEATS } from '@junqi/engine'
import { ANSWERS, decodeClientMessage } from '@junqi/protocol'
import { expect } from 'vitest'
import { type FuzzFrame, fuzzFrames } from './fuzz-frames.ts'
import { seededRandom } from './players.ts'
import { deploy, seatedRoom, startRoom } from './socket-table.ts'
import { type Message, makeGuest, startRealApp, TestClient } from './test-app.ts'

const UNBOUND = '1000000/s burst 1000000'
const RATES = ['REQUESTS', 'GUESTS', 'ROOMS', 'MESSAGES', 'PLAYER', 'STRIKES']
const LIMITS = Object.fromEntries(RATES.map((name) => [`JUNQI_RATE_${name}`, UNBOUND]))

/** Frames after which players and rooms are new ones: fuzzed rooms soon come to their end. */
const BATCH = 1000
/** Frames that a client has under way at once: fewer than the server's queue holds. */
const WINDOW = 50

/**
 * Four players, seated in rooms of every phase, send what fast-check thinks of over their sockets. Each frame has one
 * reply: by its id where one could be read, else an error with `re` null. Nothing else is logged as a fault.
 */
export async function fuzzServer(count: number, seed: number): Promise<void> {
  const server = await startRealApp(LIMITS)
  for (let batch = 0; batch < count / BATCH; batch++) {
    const guests = await Promise.all(SEATS.map((seat) => makeGuest(server.url, seat)))
    const clients = await Promise.all(
      guests.map(({ token }) => TestClient.hello(server.url, token)),
    )
    const rooms = await setTables(clients, seed + batch)
    const players = guests.map(({ id }) => id)
    const frames = fuzzFrames({ rooms, players }, { count: BATCH, seed: seed + batch })
    for (let from = 0; from < frames.length; from += WINDOW) {
      const client = clients[(from / WINDOW) % clients.length]
      await checkReplies(client, frames.slice(from, from + WINDOW))
      await server.clock.advance(1000)
    }
    for (const client of clients) client.socket.close()
  }
  const faults = server.logs.filter((line) => /"level":[456]0/.test(line))
  expect(faults).toEqual([])
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
}

async function checkReplies(
  client: TestClient | undefined,
  frames: readonly FuzzFrame[],
): Promise<void> {
  if (client === undefined) throw new Error('there are four clients')
  client.messages.length = 0
  for (const frame of frames) client.socket.send(frame)
  // Handled last, since a connection's commands are handled in order.
  client.send({ type: 'unsubscribe', id: 'end', room: 'zzzzzzzz' })
  await client.reply('end')
  checkAnswers(frames, client.messages)
  const replies = client.messages.filter(isReply).map(({ re }) => re)
  expect(counted(replies)).toEqual(counted([...frames.map(idOf), 'end']))
}

/** Each message is answered as its kind is. */
function checkAnswers(frames: readonly FuzzFrame[], messages: readonly Message[]): void {
  const told = new Map<string, readonly string[]>()
  for (const frame of frames) {
    const decoded = typeof frame === 'string' ? decodeClientMessage(frame) : null
    if (decoded?.ok) told.set(decoded.value.id, [...ANSWERS[decoded.value.type], 'error'])
  }
  for (const { type, re } of messages) {
    const answers = told.get(String(re))
    if (answers !== undefined) expect(answers).toContain(type)
  }
}

/** Events and snapshots that answer nobody have no `re`, or null. */
const isReply = ({ type, re }: Message): boolean =>
  re !== undefined && (re !== null || type === 'error')

function idOf(frame: FuzzFrame): string | null {
  if (typeof frame !== 'string') return null
  const decoded = decodeClientMessage(frame)
  return decoded.ok ? decoded.value.id : decoded.error.id
}

function counted(ids: readonly unknown[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const id of ids) counts[String(id)] = (counts[String(id)] ?? 0) + 1
  return counts
}

/** A duel in its lobby, one in deployment, and a game of four that is being played. */
async function setTables(clients: readonly TestClient[], seed: number): Promise<readonly string[]> {
  const pair = clients.slice(0, 2)
  const lobby = await seatedRoom(pair, 'duel')
  const deployment = await seatedRoom(pair, 'duel')
  await startRoom(pair, deployment)
  const playing = await seatedRoom(clients, 'siguo')
  await startRoom(clients, playing)
  await deploy(clients, playing, { preset: 'siguo', random: seededRandom(seed) })
  return [lobby, deployment, playing]
}
