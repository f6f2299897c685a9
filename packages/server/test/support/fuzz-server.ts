import { legalFlips, legalMoves, PRESETS, randomFormation, SEATS } from '@junqi/engine'
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
import { type HeardMessage, wrongsIn } from './fuzz-oracle.ts'
import { seededRandom } from './players.ts'
import { command, deploy, seatedRoom, startRoom } from './socket-table.ts'
import { makeGuest, startRealApp, type TestApp, TestClient } from './test-app.ts'

const UNBOUND = '1000000/s burst 1000000'
const RATES = ['REQUESTS', 'GUESTS', 'ROOMS', 'MESSAGES', 'PLAYER', 'STRIKES', 'CHAT']
const LIMITS = Object.fromEntries(RATES.map((name) => [`JUNQI_RATE_${name}`, UNBOUND]))

/** Frames after which players and rooms are new ones: fuzzed rooms soon come to their end. */
const BATCH = 1000
/** Frames that a client has under way at once: fewer than the server's queue holds. */
const WINDOW = 20
const FORMATIONS = 40

/** What was sent in all, and what of it was done, by type. */
export interface Fuzzed {
  readonly sent: Map<ClientMessage['type'], number>
  readonly done: Map<ClientMessage['type'], number>
}

/**
 * Everybody who can have a socket (those who play, one of them twice, one who is out, hosts and others, who looks on, a
 * stranger, one who has not said hello) sends what fast-check thinks of, in rooms of every phase. Each frame has one reply:
 * by its id where one could be read, else an error with `re` null. Nothing is logged as a fault; every log is legal; what
 * each was told is what the log tells this viewer; nobody was told another's formation.
 */
export async function fuzzServer(count: number, seed: number): Promise<Fuzzed> {
  const server = await startRealApp(LIMITS)
  const fuzzed: Fuzzed = { sent: new Map(), done: new Map() }
  for (let batch = 0; batch < count / BATCH; batch++) {
    try {
      await new Batch(server, seed + batch, fuzzed).run()
    } catch (error) {
      throw new Error(`fuzzServer(${BATCH}, ${seed + batch}) fails`, { cause: error })
    }
  }
  expect([...fuzzed.sent.keys()].sort()).toEqual(
    clientMessage.options.map(({ shape }) => shape.type.value).sort(),
  )
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
    const guests = await Promise.all(names.map((name) => makeGuest(url, name)))
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
      const playable = await this.#playable(scene.rooms)
      await this.#send(role, { ...scene, players, playable })
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

  /** What whoever is to move could play now, and what others could say to open questions. */
  async #playable(rooms: readonly string[]): Promise<readonly object[]> {
    const playable: object[] = []
    for (const room of rooms) {
      const state = stateAt(await this.#log(room))
      if (state === null) continue
      for (const { swap } of state.swaps)
        playable.push({ type: 'answerSwap', room, swap, accept: true })
      const { game } = state
      if (game === null || game.toMove === null) continue
      const { offer, toMove, turn } = game
      if (offer !== null)
        playable.push({ type: 'answerDraw', room, offer: offer.number, accept: true })
      for (const move of legalMoves(game, toMove).slice(0, 8))
        playable.push({ type: 'move', room, turn, ...move })
      if (game.flip === null) continue
      for (const space of legalFlips(game, toMove).slice(0, 8))
        playable.push({ type: 'flip', room, turn, space })
    }
    return playable
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
): Promise<Omit<FuzzScene, 'players' | 'playable'>> {
  const four = clients.slice(0, 4)
  const [south, east, , , lookerOn] = clients
  if (south === undefined || east === undefined || lookerOn === undefined)
    throw new Error('too few')
  const pair = [south, east]
  const lobby = await seatedRoom(pair, 'duel')
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
  const rooms = [lobby, invited, deployment, playing, partly, late, alone, ended, flip]
  for (const room of [lobby, deployment, playing, partly, late, ended, flip])
    await command(lookerOn, { type: 'subscribe', room })
  const formations = Array.from({ length: FORMATIONS }, () =>
    randomFormation(PRESETS.siguo, random),
  )
  return { rooms, invitations: [roomView.parse(view).invitation ?? ''], formations }
}
