import { PRESETS, randomFormation, SEATS } from '@junqi/engine'
import {
  ANSWERS,
  type ClientMessage,
  clientMessage,
  decodeClientMessage,
  type Guest,
  type PlayerId,
  roomId,
  roomView,
} from '@junqi/protocol'
import { expect } from 'vitest'
import { stateAt } from '../../../../test/support/audit.ts'
import { parseEntry } from '../../src/room/log-entry.ts'
import { type FuzzFrame, type FuzzScene, fuzzFrames } from './fuzz-frames.ts'
import { type Opening, openingsIn, queueOpenings } from './fuzz-openings.ts'
import { type HeardMessage, wrongsIn } from './fuzz-oracle.ts'
import { seededRandom } from './players.ts'
import { command, deploy, seatedRoom, startRoom } from './socket-table.ts'
import { makeBot, makeGuest, startRealApp, type TestApp, TestClient } from './test-app.ts'

const UNBOUND = '1000000/s burst 1000000'
const RATES = ['REQUESTS', 'GUESTS', 'ROOMS', 'MESSAGES', 'PLAYER', 'STRIKES', 'CHAT']
export const BOT_KEY = 'the-bots-of-this-test'
/** Of a server where nothing is said too often, and bots can be. */
export const OPEN_HANDED = {
  ...Object.fromEntries(RATES.map((name) => [`JUNQI_RATE_${name}`, UNBOUND])),
  JUNQI_BOT_KEY: BOT_KEY,
}

/** Frames after which players and rooms are new ones: fuzzed rooms soon come to their end. */
const BATCH = 1000
/** Frames that a client has under way at once: fewer than the server's queue holds. */
const WINDOW = 20
const FORMATIONS = 40

/** Of all messages that a client can send. */
export const MESSAGE_TYPES = clientMessage.options.map(({ shape }) => shape.type.value)

/** What was sent in all, and what of it was done, by type. */
export interface Fuzzed {
  readonly sent: Map<ClientMessage['type'], number>
  readonly done: Map<ClientMessage['type'], number>
}

/**
 * Everybody who can have a socket (those who play, one of them twice, one who is out, hosts and others, who looks on, a
 * stranger, a bot's account, one who has not said hello) sends what fast-check thinks of, in rooms of every phase, and of
 * what would be accepted now more than chance would. Each frame has one reply: by its id where one could be read, else an
 * error with `re` null. Nothing is logged as a fault; every log is legal; what each was told is what the log tells this
 * viewer; nobody was told another's formation.
 */
export async function fuzzServer(count: number, seed: number): Promise<Fuzzed> {
  const server = await startRealApp(OPEN_HANDED)
  const fuzzed: Fuzzed = { sent: new Map(), done: new Map() }
  for (let batch = 0; batch < count / BATCH; batch++) {
    try {
      await new Batch(server, seed + batch, fuzzed).run()
    } catch (error) {
      throw new Error(`fuzzServer(${BATCH}, ${seed + batch}) fails`, { cause: error })
    }
  }
  expect([...fuzzed.sent.keys()].sort()).toEqual([...MESSAGE_TYPES].sort())
  return fuzzed
}

interface Role {
  readonly player: PlayerId
  readonly client: TestClient
}

class Batch {
  readonly #server: TestApp
  readonly #seed: number
  readonly #fuzzed: Fuzzed
  readonly #heard: HeardMessage[] = []
  readonly #formations = new Map<string, Set<PlayerId>>()
  #sent = 0

  constructor(server: TestApp, seed: number, fuzzed: Fuzzed) {
    this.#server = server
    this.#seed = seed
    this.#fuzzed = fuzzed
  }

  async run(): Promise<void> {
    const { clock, logs, store, url } = this.#server
    const names = [...SEATS, 'looker-on', 'stranger']
    const guests = await Promise.all([
      ...names.map((name) => makeGuest(url, name)),
      makeBot(url, `easy-${this.#seed}`, BOT_KEY),
    ])
    const roles = await Promise.all(
      [...guests, ...guests.slice(0, 1)].map((guest) => this.#enter(guest)),
    )
    const scene = await setTables(
      roles.map(({ client }) => client),
      seededRandom(this.#seed),
    )
    const players = guests.map(({ id }) => id)
    for (let n = 0; this.#sent < BATCH; n++) {
      const role = roles[n % (roles.length + 1)] ?? (await this.#enterSilently(guests))
      const openings = await this.#openings(role.player, { rooms: scene.rooms, players })
      await this.#send(role, { ...scene, players, openings })
      await clock.advance(1000)
    }
    for (const guest of guests) await this.#lookAtAll(guest, scene.rooms)
    for (const { client, player } of roles) this.#note(player, client)
    expect(await wrongsIn(store, this.#heard, this.#formations)).toEqual([])
    for (const { client } of roles) client.socket.close()
    expect(logs.filter((line) => /"level":[456]0/.test(line))).toEqual([])
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    logs.length = 0
  }

  async #enter({ id, token }: Guest): Promise<Role> {
    return { player: id, client: await TestClient.hello(this.#server.url, token) }
  }

  /** Without a hello: everything else is refused. */
  async #enterSilently([guest]: readonly Guest[]): Promise<Role> {
    if (guest === undefined) throw new Error('nobody there')
    return { player: guest.id, client: await TestClient.dial(this.#server.url, guest.token) }
  }

  /** What would be accepted now, of one player and of the others. */
  async #openings(
    player: PlayerId,
    {
      rooms,
      players,
    }: { readonly rooms: readonly string[]; readonly players: readonly PlayerId[] },
  ): Promise<FuzzScene['openings']> {
    const logs = await Promise.all(rooms.map((room) => this.#log(room)))
    const states = rooms.map((room, n) => ({ room, state: stateAt(logs[n] ?? []) }))
    const openingsOf = async (each: PlayerId): Promise<readonly Opening[]> => [
      ...states.flatMap(({ room, state }) => (state === null ? [] : openingsIn(room, state, each))),
      ...(await queueOpenings(this.#server.store, each)),
    ]
    const others = players.filter((each) => each !== player)
    return {
      own: await openingsOf(player),
      others: (await Promise.all(others.map(openingsOf))).flat(),
    }
  }

  async #log(room: string) {
    return (await this.#server.store.read(roomId.parse(room), 0)).map(parseEntry)
  }

  async #send(role: Role, scene: FuzzScene): Promise<void> {
    const first = this.#sent
    const frames = fuzzFrames(scene, { count: WINDOW, seed: this.#seed + first, first })
    this.#sent += frames.length
    const { client, player } = role
    this.#note(player, client)
    for (const frame of frames) client.socket.send(frame)
    // Handled last, since a connection's commands are handled in order.
    const end = `end${first}`
    client.send({ type: 'unsubscribe', id: end, room: 'zzzzzzzz' })
    await client.reply(end)
    this.#checkReplies(role, [
      ...frames,
      JSON.stringify({ type: 'unsubscribe', id: end, room: 'zzzzzzzz' }),
    ])
  }

  #checkReplies({ client, player }: Role, frames: readonly FuzzFrame[]): void {
    const decoded = frames.map((frame) => decodeClientMessage(frame))
    const ids = decoded.map((each, n) => {
      if (typeof frames[n] !== 'string') return null
      return each.ok ? each.value.id : each.error.id
    })
    const replies = client.messages.filter(isReply)
    expect(counted(replies.map(({ re }) => re))).toEqual(counted(ids))
    for (const [n, each] of decoded.entries()) {
      if (!each.ok || typeof frames[n] !== 'string') continue
      const { id, type } = each.value
      count(this.#fuzzed.sent, type)
      const own = replies.filter(({ re }) => re === id)
      // Of several with one id it is not told which is whose.
      if (own.length > 1) continue
      expect([...ANSWERS[type], 'error']).toContain(own[0]?.type)
      if (own[0]?.type === 'error') continue
      count(this.#fuzzed.done, type)
      if ('formation' in each.value) this.#owns(player, each.value.formation)
    }
    this.#note(player, client)
  }

  #owns(player: PlayerId, formation: string): void {
    const owners = this.#formations.get(formation) ?? new Set()
    this.#formations.set(formation, owners.add(player))
  }

  /** A new connection that looks at every room. */
  async #lookAtAll(guest: Guest, rooms: readonly string[]): Promise<void> {
    const { client, player } = await this.#enter(guest)
    for (const room of rooms) {
      const id = `look-${room}`
      client.send({ type: 'subscribe', id, room })
      const { type, code } = await client.reply(id)
      if (type === 'error')
        expect(['room_not_found', 'no_spectators', 'room_closed']).toContain(code)
    }
    this.#note(player, client)
    client.socket.close()
  }

  #note(player: PlayerId, { messages }: TestClient): void {
    this.#heard.push(...messages.map((message) => ({ player, message })))
    messages.length = 0
  }
}

/** Events and snapshots that answer nobody have no `re`, or null. */
const isReply = ({ type, re }: TestClient['messages'][number]): boolean =>
  re !== undefined && (re !== null || type === 'error')

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function counted(ids: readonly unknown[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const id of ids) count(counts, String(id))
  return Object.fromEntries(counts)
}

/** Rooms in every phase and of every kind; the first client is host of most, the fifth looks on, the sixth knows none. */
async function setTables(
  clients: readonly TestClient[],
  random: () => number,
): Promise<Pick<FuzzScene, 'rooms' | 'invitations' | 'formations'>> {
  const [three, four] = [clients.slice(0, 3), clients.slice(0, 4)]
  const [south, east, , , lookerOn] = clients
  if (south === undefined || east === undefined || lookerOn === undefined)
    throw new Error('too few')
  const pair = [south, east]
  const lobby = await seatedRoom(pair, 'duel')
  for (const client of pair) await command(client, { type: 'ready', room: lobby })
  const incomplete = await seatedRoom(three, 'siguo')
  const invited = await seatedRoom([east], 'duel', { private: true })
  const { view } = await command(east, { type: 'subscribe', room: invited })
  const deployment = await seatedRoom(pair, 'duel')
  await startRoom(pair, deployment)
  const playing = await seatedRoom(four, 'siguo')
  const late = await seatedRoom(pair, 'duel', { spectators: { mode: 'delayed', moves: 3 } })
  const alone = await seatedRoom(pair, 'duel', { spectators: { mode: 'none' } })
  const ended = await seatedRoom(pair, 'duel')
  for (const room of [late, alone, ended]) {
    await startRoom(pair, room)
    await deploy(pair, room, { preset: 'duel', random })
  }
  await command(south, { type: 'leave', room: ended })
  const flip = await seatedRoom(pair, 'flip')
  await startRoom(pair, flip)
  const partly = await seatedRoom(four, 'siguo', {
    options: { resignFromMove: 0, firstSeat: 'south' },
  })
  for (const room of [playing, partly]) {
    await startRoom(four, room)
    await deploy(four, room, { preset: 'siguo', random })
  }
  await command(south, { type: 'resign', room: partly, turn: 0 })
  const rooms = [lobby, incomplete, invited, deployment, playing, partly, late, alone, ended, flip]
  for (const room of [lobby, incomplete, deployment, playing, partly, late, ended, flip])
    await command(lookerOn, { type: 'subscribe', room })
  const formations = Array.from({ length: FORMATIONS }, () =>
    randomFormation(PRESETS.siguo, random),
  )
  return { rooms, invitations: [roomView.parse(view).invitation ?? ''], formations }
}
