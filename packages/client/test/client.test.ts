import { newGame, randomFormation, resolveRules, viewGame } from '@junqi/engine'
import {
  type ClientMessage,
  commandId,
  formatRetryHint,
  invitation,
  type Player,
  playerId,
  type RoomView,
  roomId,
  roomView,
  type ServerMessage,
  type ViewedEvent,
} from '@junqi/protocol'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  type Client,
  connect,
  type RoomUpdate,
  systemEnvironment,
  type TokenSource,
} from '../src/index.ts'
import { type FakeSocket, FakeWorld, settle } from './fake-world.ts'
import { connectIn, ming, welcome } from './online.ts'

const room = roomId.parse('k7w2m9qx')
const lan: Player = { id: playerId.parse('8b3xq6nd1vcr'), name: 'Lan' }

const clients: Client[] = []
const worlds: FakeWorld[] = []

afterEach(() => {
  for (const client of clients.splice(0)) client.close()
  for (const { timers, listeners } of worlds.splice(0)) {
    expect({ timers, listeners }, 'left behind').toEqual({ timers: 0, listeners: 0 })
  }
})

function makeClient(
  world = new FakeWorld(),
  token: TokenSource = 'secret',
): { world: FakeWorld; client: Client } {
  const client = connectIn(world, token)
  clients.push(client)
  worlds.push(world)
  return { world, client }
}

function lobby(): RoomView {
  const resolved = resolveRules({ preset: 'duel', options: {} })
  if (!resolved.ok) throw new Error(resolved.error.message)
  return roomView.parse({
    phase: 'lobby',
    rules: { preset: 'duel', options: {}, ruleSet: resolved.value },
    invitation: null,
    spectators: { mode: 'public' },
    host: ming.id,
    seats: { south: null, east: null, north: null, west: null },
    swaps: [],
    you: { seat: null, draft: null },
    game: null,
    seal: null,
    history: [],
    legalMoves: {},
    until: null,
    rematch: null,
    closed: false,
  })
}

/** The same room with a game in its course. */
function playing(turn: number): RoomView {
  const { ruleSet } = lobby().rules
  const formation = randomFormation(ruleSet, () => 0.5)
  const formations = { south: formation, north: formation }
  const game = newGame(ruleSet, { type: 'gameStarted', formations, first: 'south' })
  return { ...lobby(), phase: 'playing', game: { ...viewGame(game, 'south'), turn } }
}

const entry = (version: number, events: readonly ViewedEvent[], re?: string): ServerMessage => ({
  type: 'event',
  room,
  version,
  ...(re !== undefined && { re: commandId.parse(re) }),
  turn: null,
  next: null,
  until: null,
  events,
})

const snapshot = (version: number, re: string | null, view = lobby()): ServerMessage => ({
  type: 'snapshot',
  re: re === null ? null : commandId.parse(re),
  room,
  version,
  view,
})

const error = (
  re: string,
  refused: Partial<Extract<ServerMessage, { type: 'error' }>>,
): ServerMessage => ({
  type: 'error',
  re: commandId.parse(re),
  code: 'internal',
  message: 'No.',
  retryable: false,
  retryAfterMs: null,
  room: null,
  version: null,
  turn: null,
  ...refused,
})

const ack = (re: string, version: number | null): ServerMessage => ({
  type: 'ack',
  re: commandId.parse(re),
  room,
  version,
})

const taken = (seat: 'south' | 'north', player: Player): ViewedEvent => ({
  type: 'seatTaken',
  seat,
  player,
})

/** The last message that the client sent. */
function lastOf({ received }: FakeSocket): Exclude<ClientMessage, { type: 'hello' | 'ping' }> {
  const message = received.at(-1)
  if (message === undefined) throw new Error('nothing was sent')
  return message
}

/** A client in a room whose snapshot has version 5. */
async function inRoom() {
  const made = makeClient()
  welcome(made.world.socket)
  const handle = made.client.room(room)
  made.world.socket.push(snapshot(5, lastOf(made.world.socket).id))
  await settle()
  return { ...made, handle }
}

describe('connecting', () => {
  test('offers the protocol and the token, says hello, and knows who it is', async () => {
    const { world, client } = makeClient()
    expect(world.socket.url).toBe('ws://junqi.test/v1/ws')
    expect(world.socket.protocols).toEqual(['junqi.v1', 'bearer.secret'])
    expect(client.status).toEqual({ state: 'connecting', reason: null })
    welcome(world.socket)
    expect(await client.online()).toEqual({ ok: true, value: ming })
    expect(client.player).toEqual(ming)
  })

  test('a cookie needs no token', () => {
    const { world } = makeClient(new FakeWorld(), null)
    expect(world.socket.protocols).toEqual(['junqi.v1'])
  })

  test('where there is no WebSocket it says what to do', () => {
    const there = globalThis.WebSocket
    Reflect.deleteProperty(globalThis, 'WebSocket')
    try {
      expect(() =>
        connect({ url: 'http://junqi.test', token: null, clientName: 'test/1' }),
      ).toThrow('pass the one of npm ws to connect()')
    } finally {
      if (there !== undefined) globalThis.WebSocket = there
    }
  })

  test('a message of a later server is ignored', () => {
    const { world, client } = makeClient()
    welcome(world.socket)
    world.socket.pushText('{"type":"weather"}')
    expect(client.status.state).toBe('online')
  })

  test.each([['{"type":"pong"}'], ['hello'], [new ArrayBuffer(2)]])(
    'a server that speaks otherwise is left: %j',
    (frame) => {
      const { world, client } = makeClient()
      welcome(world.socket)
      world.socket.pushText(frame)
      expect(client.status).toMatchObject({
        state: 'closed',
        reason: { code: 'unsupported_protocol' },
      })
      expect(world.socket.closedWith).toBe(1000)
    },
  )

  test('a hello that is refused for good closes the client', async () => {
    const { world, client } = makeClient()
    world.socket.open()
    world.socket.push(error(world.socket.lastQuestion, { code: 'unsupported_protocol' }))
    expect(await client.online()).toMatchObject({
      ok: false,
      error: { code: 'unsupported_protocol' },
    })
  })

  test('a hello that came too soon is said again later', async () => {
    const { world } = makeClient()
    world.socket.open()
    const refused = { code: 'rate_limited', retryable: true, retryAfterMs: 3_000 } as const
    world.socket.push(error(world.socket.lastQuestion, refused))
    await world.pass(2_999)
    expect(world.sockets).toHaveLength(1)
    await world.pass(1)
    expect(world.sockets).toHaveLength(2)
  })
})

describe('the time of the server', () => {
  test('follows from the quickest answer of the connection', async () => {
    const { world, client } = makeClient()
    expect(client.serverNow()).toBeNull()
    welcome(world.socket, 50_000)
    expect(client.serverNow()).toBe(50_000)
    await world.pass(15_000)
    await world.pass(40)
    world.socket.push({
      type: 'pong',
      re: commandId.parse(world.socket.lastQuestion),
      serverTime: 1,
    })
    expect(client.serverNow()).toBe(65_040)
  })

  test('is learnt anew from another process', async () => {
    const { world, client } = makeClient()
    welcome(world.socket, 50_000)
    world.socket.end(1006)
    await world.pass(100)
    welcome(world.socket, 7)
    expect(client.serverNow()).toBe(7)
  })
})

describe('coming back', () => {
  test('after a loss, later each time', async () => {
    const { world, client } = makeClient()
    welcome(world.socket)
    for (const delayMs of [100, 200, 400, 800]) {
      world.socket.end(1006)
      expect(client.status).toEqual({ state: 'waiting', delayMs, reason: null })
      const before = world.sockets.length
      await world.pass(delayMs - 1)
      expect(world.sockets).toHaveLength(before)
      await world.pass(1)
      expect(world.sockets).toHaveLength(before + 1)
      welcome(world.socket)
    }
  })

  test('F-R9: the back-off starts over only after a connection that lasted', async () => {
    const { world, client } = makeClient()
    welcome(world.socket)
    world.socket.end(1006)
    await world.pass(100)
    welcome(world.socket)
    await world.pass(9_999)
    world.socket.end(1006)
    expect(client.status).toEqual({ state: 'waiting', delayMs: 200, reason: null })
    await world.pass(200)
    welcome(world.socket)
    await world.pass(10_000)
    world.socket.end(1006)
    expect(client.status).toEqual({ state: 'waiting', delayMs: 100, reason: null })
  })

  test.each([
    ['nobody', null, 'playing', 1_600],
    ['a player', 'south', 'playing', 500],
    ['who lays out its pieces', 'south', 'deployment', 500],
    ['whose game is over', 'south', 'finished', 1_600],
  ] as const)(
    '%s in a game (%s, %s) waits at most %i ms the fifth time',
    async (_, seat, phase, delayMs) => {
      const { world, client } = await inRoom()
      world.socket.push(snapshot(6, null, { ...playing(0), phase, you: { seat, draft: null } }))
      await settle()
      for (const _attempt of [0, 1, 2, 3]) {
        world.socket.end(1006)
        await world.pass(1_000)
        world.socket.open()
      }
      world.socket.end(1006)
      expect(client.status).toEqual({ state: 'waiting', delayMs, reason: null })
    },
  )

  test('after a restart, when the server says', async () => {
    const { world, client } = makeClient()
    welcome(world.socket)
    world.socket.end(1012, formatRetryHint(350))
    expect(client.status).toEqual({ state: 'waiting', delayMs: 350, reason: null })
  })

  test.each([
    [4401, 'unauthorized', '4401 token_revoked: The token is no longer valid.'],
    [4403, 'banned', '4403 banned: The player is shut out of this server.'],
    [4400, 'closed', '4400 bad_messages: Too many malformed messages.'],
  ])('F-R9: not after a close that says no: %i', async (closeCode, code, message) => {
    const { world, client } = makeClient()
    welcome(world.socket)
    world.socket.end(closeCode)
    expect(client.status).toMatchObject({ state: 'closed', reason: { code, message } })
    await world.pass(60_000)
    expect(world.sockets).toHaveLength(1)
  })

  test('F-R3: an old socket that speaks late changes nothing', async () => {
    const { world, client } = makeClient()
    const old = world.socket
    welcome(old)
    old.end(1006)
    await world.pass(100)
    welcome(world.socket)
    old.end(4401)
    old.pushText('nonsense')
    expect(client.status.state).toBe('online')
  })

  test('a socket on which nothing comes is given up', async () => {
    const { world, client } = makeClient()
    welcome(world.socket)
    await world.pass(15_000)
    expect(client.status.state).toBe('online')
    await world.pass(15_000)
    expect(client.status.state).toBe('waiting')
    expect(world.sockets[0]?.closedWith).toBe(1000)
  })

  test('a handshake that never ends is given up', async () => {
    const { world } = makeClient()
    await world.pass(5_000)
    expect(world.asked.map(({ url }) => url)).toEqual(['http://junqi.test/v1/session'])
  })
})

describe('news of the network', () => {
  test('that is back ends the wait at once, however often it failed before', async () => {
    const { world, client } = makeClient()
    welcome(world.socket)
    for (const delayMs of [100, 200, 400, 800]) {
      world.socket.end(1006)
      await world.pass(delayMs)
      world.socket.open()
    }
    world.socket.end(1006)
    world.tellOfNetwork('back')
    expect(client.status).toEqual({ state: 'connecting', reason: null })
    welcome(world.socket)
    expect(client.status.state).toBe('online')
  })

  test('that is back begins a handshake anew, and the question why one was refused', async () => {
    const { world } = makeClient()
    world.tellOfNetwork('back')
    expect(world.sockets.map(({ closedWith }) => closedWith)).toEqual([1000, null])
    world.socket.end(1006)
    world.tellOfNetwork('back')
    expect(world.asked.map(({ init }) => init?.signal?.aborted)).toEqual([true])
    expect(world.sockets).toHaveLength(3)
  })

  test.each([
    [
      'a close',
      (socket: FakeSocket) => {
        welcome(socket)
        socket.end(1012, formatRetryHint(350))
      },
    ],
    [
      'a refusal',
      (socket: FakeSocket) => {
        socket.open()
        const busy = { code: 'rate_limited', retryable: true, retryAfterMs: 350 } as const
        socket.push(error(socket.lastQuestion, busy))
      },
    ],
  ])('that is back leaves the wait that the server asked for by %s', async (_, askedBy) => {
    const { world, client } = makeClient()
    askedBy(world.socket)
    world.tellOfNetwork('back')
    expect(client.status).toMatchObject({ state: 'waiting', delayMs: 350 })
    await world.pass(350)
    expect(world.sockets).toHaveLength(2)
  })

  test('that is gone changes nothing for who waits', async () => {
    const { world, client } = makeClient()
    welcome(world.socket)
    world.socket.end(1006)
    world.tellOfNetwork('gone')
    expect(client.status).toEqual({ state: 'waiting', delayMs: 100, reason: null })
  })

  test.each(['back', 'gone'] as const)(
    'that is %s has a socket show that it lives, within five seconds',
    async (news) => {
      const { world, client } = makeClient()
      const { socket } = world
      welcome(socket)
      world.tellOfNetwork(news)
      socket.push({ type: 'pong', re: commandId.parse(socket.lastQuestion), serverTime: 50_000 })
      await world.pass(5_000)
      expect(client.status.state).toBe('online')
      world.tellOfNetwork(news)
      await world.pass(5_000)
      expect(client.status.state).toBe('waiting')
      expect(socket.closedWith).toBe(1000)
    },
  )

  test('is taken from the window where there is one, and is none in Node', () => {
    const heard: string[] = []
    systemEnvironment.onNetwork((news) => heard.push(news))()
    const window = new EventTarget()
    for (const method of ['addEventListener', 'removeEventListener'] as const) {
      vi.stubGlobal(method, window[method].bind(window))
    }
    const stop = systemEnvironment.onNetwork((news) => heard.push(news))
    for (const type of ['online', 'offline']) window.dispatchEvent(new Event(type))
    stop()
    window.dispatchEvent(new Event('online'))
    vi.unstubAllGlobals()
    expect(heard).toEqual(['back', 'gone'])
  })
})

test('a token that is a function is asked for at each attempt to connect', async () => {
  let asked = 0
  const { world } = makeClient(new FakeWorld(), () => `token-${++asked}`)
  welcome(world.socket)
  world.socket.end(1012, formatRetryHint(100))
  await world.pass(100)
  expect(world.sockets.map(({ protocols }) => protocols[1])).toEqual([
    'bearer.token-1',
    'bearer.token-2',
  ])
})

describe('a refused handshake', () => {
  const refusedWith = (status: number, code: string, retryable: boolean) => () =>
    Promise.resolve(Response.json({ error: { code, message: 'No.', retryable } }, { status }))

  test('is asked about, with the token', async () => {
    const { world } = makeClient()
    world.socket.end(1006)
    await settle()
    expect(world.asked).toEqual([
      {
        url: 'http://junqi.test/v1/session',
        init: expect.objectContaining({ headers: { authorization: 'Bearer secret' } }),
      },
    ])
  })

  test('for want of a good token is final', async () => {
    const { world, client } = makeClient()
    world.answerHttp = refusedWith(401, 'unauthorized', false)
    world.socket.end(1006)
    expect(await client.online()).toMatchObject({ ok: false, error: { code: 'unauthorized' } })
    await world.pass(60_000)
    expect(world.sockets).toHaveLength(1)
  })

  test.each([
    ['the server is busy', 'busy', refusedWith(503, 'busy', true)],
    ['the session is good', null, () => Promise.resolve(Response.json({ player: ming }))],
    [
      'something else answers',
      null,
      () => Promise.resolve(new Response('<h1>502</h1>', { status: 502 })),
    ],
    ['nothing answers', null, () => Promise.reject(new TypeError('fetch failed'))],
  ])('is tried again when %s', async (_, code, answer) => {
    const { world, client } = makeClient()
    world.answerHttp = answer
    world.socket.end(1006)
    await settle()
    const reason = code && expect.objectContaining({ code })
    expect(client.status).toEqual({ state: 'waiting', delayMs: 100, reason })
    await world.pass(100)
    expect(client.status).toEqual({ state: 'connecting', reason })
    welcome(world.socket)
    world.socket.end(1006)
    expect(client.status).toMatchObject({ state: 'waiting', reason: null })
  })

  test('is tried again when the answer does not come', async () => {
    const { world, client } = makeClient()
    world.answerHttp = () => new Promise(() => {})
    world.socket.end(1006)
    await world.pass(5_000)
    expect(client.status).toEqual({ state: 'waiting', delayMs: 100, reason: null })
  })

  test('an answer after the end changes nothing', async () => {
    const { world, client } = makeClient()
    let answer: (response: Response) => void = () => {}
    world.answerHttp = () => new Promise((resolve) => (answer = resolve))
    world.socket.end(1006)
    client.close()
    answer(Response.json({ player: ming }))
    await world.pass(60_000)
    expect(world.sockets).toHaveLength(1)
  })
})

describe('commands', () => {
  test('resolve with the ack', async () => {
    const { world, client } = makeClient()
    welcome(world.socket)
    const created = client.createRoom({ preset: 'duel', options: {}, private: false })
    world.socket.push(ack(lastOf(world.socket).id, 1))
    expect(await created).toEqual({ ok: true, value: { room, version: 1 } })
  })

  test('resolve with the event that answers them', async () => {
    const { world, handle } = await inRoom()
    const sat = handle.sit('south')
    world.socket.push(entry(6, [taken('south', ming)], lastOf(world.socket).id))
    expect(await sat).toEqual({ ok: true, value: { room, version: 6 } })
    expect(handle.view?.you.seat).toBe('south')
  })

  test('resolve with the refusal', async () => {
    const { world, handle } = await inRoom()
    const moved = handle.move('a6', 'a7')
    expect(lastOf(world.socket)).toMatchObject({ type: 'move', turn: 0, from: 'a6', to: 'a7' })
    world.socket.push(error(lastOf(world.socket).id, { code: 'stale_turn', version: 9, turn: 3 }))
    expect(await moved).toEqual({
      ok: false,
      error: { code: 'stale_turn', message: 'No.', version: 9, turn: 3 },
    })
  })

  test('F-R2: unanswered ones are sent again with the same id, after the subscription', async () => {
    const { world, handle } = await inRoom()
    const sat = handle.sit('south')
    const { id } = lastOf(world.socket)
    world.socket.end(1006)
    await world.pass(100)
    welcome(world.socket)
    expect(world.socket.received).toMatchObject([
      { type: 'subscribe', room, since: 5 },
      { type: 'sit', id, seat: 'south' },
    ])
    world.socket.push(entry(6, [taken('south', ming)]))
    world.socket.push(ack(world.socket.received[0]?.id ?? '', null))
    world.socket.push(ack(id, 6))
    expect(await sat).toEqual({ ok: true, value: { room, version: 6 } })
    expect(handle.state?.version).toBe(6)
  })

  test('F-R6: a move that waited for the connection keeps the turn that it was made for', async () => {
    const { world, handle } = await inRoom()
    world.socket.end(1006)
    const moved = handle.move('a6', 'a7')
    await world.pass(100)
    welcome(world.socket)
    const sent = lastOf(world.socket)
    expect(sent).toMatchObject({ type: 'move', turn: 0 })
    world.socket.push(error(sent.id, { code: 'stale_turn', turn: 4 }))
    expect(await moved).toMatchObject({ ok: false, error: { code: 'stale_turn', turn: 4 } })
  })

  test('F-R6: a move that is sent again goes out for the turn that it was made for, whatever came meanwhile', async () => {
    const { world, handle } = await inRoom()
    world.socket.push(snapshot(6, null, playing(3)))
    const moved = handle.move('a6', 'a7')
    const { id } = lastOf(world.socket)
    world.socket.push(error(id, { code: 'unavailable', retryable: true, retryAfterMs: 1_000 }))
    world.socket.push(snapshot(7, null, playing(4)))
    await world.pass(1_000)
    expect(handle.view?.game?.turn).toBe(4)
    expect(lastOf(world.socket)).toMatchObject({ type: 'move', id, turn: 3 })
    world.socket.push(error(id, { code: 'stale_turn', turn: 4 }))
    expect(await moved).toMatchObject({ ok: false, error: { code: 'stale_turn' } })
  })

  test('answered ones are not sent again', async () => {
    const { world, handle } = await inRoom()
    const stood = handle.stand()
    world.socket.push(ack(lastOf(world.socket).id, 6))
    await stood
    world.socket.end(1006)
    await world.pass(100)
    welcome(world.socket)
    expect(world.socket.received.map(({ type }) => type)).toEqual(['subscribe'])
  })

  test('those that may be sent again are, after the time that the server asks for', async () => {
    const { world, handle } = await inRoom()
    const stood = handle.stand()
    const { id } = lastOf(world.socket)
    const limited = { code: 'rate_limited', retryable: true, retryAfterMs: 1_500 } as const
    world.socket.push(error(id, limited))
    const sent = world.socket.received.length
    await world.pass(1_499)
    expect(world.socket.received).toHaveLength(sent)
    await world.pass(1)
    expect(lastOf(world.socket)).toMatchObject({ type: 'stand', id })
    expect(world.socket.received).toHaveLength(sent + 1)
    world.socket.push(ack(id, 6))
    expect(await stood).toMatchObject({ ok: true })
  })

  test('but not for ever', async () => {
    const { world, handle } = await inRoom()
    const stood = handle.stand()
    const { id } = lastOf(world.socket)
    for (let refusals = 0; refusals <= 8; refusals++) {
      world.socket.push(error(id, { code: 'unavailable', retryable: true }))
      await world.pass(0)
      const { type } = lastOf(world.socket)
      expect(type).toBe('stand')
      // Long enough for the next attempt, not for the socket to be given up.
      world.socket.pushText('{"type":"weather"}')
      await world.pass(13_000)
    }
    expect(await stood).toMatchObject({ ok: false, error: { code: 'unavailable' } })
  })

  test('F-T4: while a clock runs they are at most a second apart, as long as the server takes them', async () => {
    const { world, handle } = await inRoom()
    world.socket.push(snapshot(6, null, { ...playing(3), you: { seat: 'south', draft: null } }))
    const moved = handle.move('a6', 'a7')
    const { id } = lastOf(world.socket)
    const timesSent = () => world.socket.received.filter((message) => message.id === id).length
    for (let refusals = 1; refusals <= 30; refusals++) {
      world.socket.push(error(id, { code: 'unavailable', retryable: true }))
      await world.pass(1_000)
      expect(timesSent()).toBe(refusals + 1)
    }
    world.socket.push(ack(id, 7))
    expect(await moved).toMatchObject({ ok: true })
  })

  test('too many at a time are refused here', async () => {
    const { world, handle } = await inRoom()
    for (let n = 0; n < 64; n++) handle.offerDraw()
    expect(await handle.offerDraw()).toMatchObject({ ok: false, error: { code: 'busy' } })
    expect(world.socket.received.filter(({ type }) => type === 'offerDraw')).toHaveLength(64)
  })

  test('ids of two clients of one player differ', async () => {
    let chance = 0
    const world = new FakeWorld()
    const other = new FakeWorld()
    Object.assign(world, { random: () => (chance = (chance + 0.618) % 1) })
    Object.assign(other, { random: () => (chance = (chance + 0.618) % 1) })
    const ids = [world, other].map((each) => {
      const { client } = makeClient(each)
      welcome(each.socket)
      client.createRoom({ preset: 'duel', options: {}, private: false })
      return lastOf(each.socket).id
    })
    expect(ids[0]).not.toBe(ids[1])
  })
})

describe('rooms', () => {
  test('are opened by a snapshot', async () => {
    const { handle } = await inRoom()
    expect(await handle.opened()).toEqual({
      ok: true,
      value: { room, version: 5, view: lobby() },
    })
  })

  test('a private one is asked for with its invitation', () => {
    const { world, client } = makeClient()
    welcome(world.socket)
    const code = invitation.parse('q3Zr8vYkT1mXw0bNc5LdSg')
    const handle = client.room(room, { invitation: code })
    expect(lastOf(world.socket)).toMatchObject({ type: 'subscribe', invitation: code })
    handle.sit('north')
    expect(lastOf(world.socket)).toMatchObject({ type: 'sit', seat: 'north', invitation: code })
  })

  test('one that is not there is lost', async () => {
    const { world, client } = makeClient()
    welcome(world.socket)
    const handle = client.room(room)
    world.socket.push(error(lastOf(world.socket).id, { code: 'room_not_found' }))
    expect(await handle.opened()).toMatchObject({ ok: false, error: { code: 'room_not_found' } })
    expect(client.room(room)).not.toBe(handle)
  })

  test('follow events in order', async () => {
    const { world, handle } = await inRoom()
    world.socket.push(entry(6, [taken('north', lan)]))
    world.socket.push(entry(7, [{ type: 'readyChanged', seat: 'north', ready: true }]))
    expect(handle.state?.version).toBe(7)
    expect(handle.view?.seats.north).toMatchObject({ player: lan, ready: true })
  })

  test('drop what they have already', async () => {
    const { world, handle } = await inRoom()
    const updates: RoomUpdate[] = []
    handle.onUpdate((update) => updates.push(update))
    world.socket.push(entry(5, [taken('north', lan)]))
    world.socket.push(entry(6, []))
    world.socket.push(entry(6, [taken('north', lan)]))
    expect(updates.map(({ type }) => type)).toEqual(['event'])
    expect(handle.view?.seats.north).toBeNull()
  })

  test('F-R7: a gap is asked for, once, and nothing is shown before it is filled', async () => {
    const { world, handle } = await inRoom()
    world.socket.push(entry(8, [taken('north', lan)]))
    world.socket.push(entry(9, []))
    expect(handle.state?.version).toBe(5)
    expect(world.socket.received.slice(1)).toMatchObject([{ type: 'subscribe', since: 5 }])
    for (const version of [6, 7]) world.socket.push(entry(version, []))
    world.socket.push(entry(8, [taken('north', lan)]))
    world.socket.push(entry(9, []))
    world.socket.push(ack(lastOf(world.socket).id, null))
    await settle()
    expect(handle.state?.version).toBe(9)
    expect(handle.view?.seats.north?.player).toEqual(lan)
  })

  test('a later gap is asked for again', async () => {
    const { world } = await inRoom()
    world.socket.push(entry(8, []))
    world.socket.push(snapshot(8, lastOf(world.socket).id))
    await settle()
    world.socket.push(entry(11, []))
    expect(world.socket.received.slice(1)).toMatchObject([{ since: 5 }, { since: 8 }])
  })

  test('a snapshot replaces all, also when the server went back', async () => {
    const { world, handle } = await inRoom()
    world.socket.push(entry(6, [taken('north', lan)]))
    world.socket.push(snapshot(4, null))
    expect(handle.state).toMatchObject({ version: 4, view: { seats: { north: null } } })
  })

  test('an event that does not fit what was known leads to a new snapshot', async () => {
    const { world, handle } = await inRoom()
    const none = { south: null, east: null, north: null, west: null }
    world.socket.push(
      entry(6, [{ type: 'gameStarted', first: 'south', pieces: [], formations: none }]),
    )
    world.socket.push(entry(7, [{ type: 'pieceMoved', from: 'a6', to: 'a7' }]))
    expect(handle.state).toBeNull()
    expect(lastOf(world.socket)).toMatchObject({ type: 'subscribe' })
    expect(lastOf(world.socket)).not.toHaveProperty('since')
  })

  test('tell who is gone and who is back', async () => {
    const { world, handle } = await inRoom()
    world.socket.push(entry(6, [taken('north', lan)]))
    world.socket.push({ type: 'presence', room, player: lan.id, goneSince: 77 })
    expect(handle.view?.seats.north?.goneSince).toBe(77)
    world.socket.push({ type: 'presence', room, player: lan.id, goneSince: null })
    expect(handle.view?.seats.north?.goneSince).toBeNull()
  })

  test('can be read in a loop, which ends when the room is lost', async () => {
    const { world, handle } = await inRoom()
    const updates = handle.updates()
    world.socket.push(entry(6, [taken('north', lan)]))
    world.socket.push({ type: 'dropped', room, code: 'room_closed' })
    const seen: string[] = []
    for await (const update of updates) seen.push(update.type)
    expect(seen).toEqual(['snapshot', 'event', 'lost'])
  })

  const inPlay = playing(0)
  const outBy = (out: 'resigned' | 'left'): RoomView['game'] => {
    const { game } = inPlay
    const south = game?.seats.south
    if (game === null || south == null) throw new Error('nobody plays')
    return { ...game, seats: { ...game.seats, south: { ...south, out } } }
  }
  test.each<[string, Partial<RoomView>, boolean]>([
    ['goes on', {}, true],
    ['goes on without the player', { game: outBy('resigned') }, true],
    ['was left', { game: outBy('left') }, false],
    ['has ended', { phase: 'finished' }, false],
    ['is no more', { closed: true }, false],
    ['lost the player', { you: { seat: null, draft: null } }, false],
  ])('whose game %s are among the seats or not', async (_, change, isSeated) => {
    const { world, client } = await inRoom()
    world.socket.push({ type: 'seats', rooms: [room] })
    const seat = { seat: 'south', draft: null } as const
    world.socket.push(snapshot(6, null, { ...inPlay, you: seat }))
    await settle()
    expect(client.seats?.has(room)).toBe(true)
    world.socket.push(snapshot(7, null, { ...inPlay, you: seat, ...change }))
    await settle()
    expect(client.seats?.has(room)).toBe(isSeated)
  })

  test('that were closed are not watched any more', async () => {
    const { world, handle } = await inRoom()
    handle.close()
    expect(lastOf(world.socket)).toMatchObject({ type: 'unsubscribe', room })
    world.socket.push(entry(6, [taken('north', lan)]))
    expect(handle.state?.version).toBe(5)
    world.socket.end(1006)
    await world.pass(100)
    welcome(world.socket)
    expect(world.socket.received.map(({ type }) => type)).toEqual(['unsubscribe'])
  })

  test('F-R8: two tabs of one player stay in step', async () => {
    const one = await inRoom()
    const other = await inRoom()
    const sat = one.handle.sit('south')
    const { id } = lastOf(one.world.socket)
    one.world.socket.push(entry(6, [taken('south', ming)], id))
    other.world.socket.push(entry(6, [taken('south', ming)]))
    expect(await sat).toMatchObject({ ok: true })
    expect(other.handle.state).toEqual(one.handle.state)
    one.world.socket.push(entry(7, [{ type: 'deploymentStarted' }]))
    other.world.socket.push(entry(7, [{ type: 'deploymentStarted' }]))
    const draft = { type: 'draft', room, formation: '963175358137B246L2LB4FL21' } as const
    for (const { world } of [one, other]) world.socket.push(draft)
    expect(one.handle.view?.you.draft).toBe(draft.formation)
    expect(other.handle.state).toEqual(one.handle.state)
  })
})

test('closing at any change of status is closing', async () => {
  const { world, client } = makeClient()
  welcome(world.socket)
  client.onStatus(({ state }) => state === 'connecting' && client.close())
  world.socket.end(1006)
  await world.pass(60_000)
  expect(client.status.state).toBe('closed')
  expect(world.sockets).toHaveLength(1)
})

test('closing answers everything and leaves nothing behind', async () => {
  const { world, client, handle } = await inRoom()
  const stood = handle.stand()
  const updates = handle.updates()
  world.socket.push(error(lastOf(world.socket).id, { code: 'busy', retryable: true }))
  client.close()
  const closed = { ok: false, error: { code: 'closed', message: 'The client was closed.' } }
  expect(await stood).toMatchObject(closed)
  expect(await handle.opened()).toMatchObject(closed)
  expect(await handle.sit('north')).toMatchObject(closed)
  expect((await updates.next()).value).toMatchObject({ type: 'snapshot' })
  expect((await updates.next()).value).toMatchObject({ type: 'lost' })
  expect((await updates.next()).done).toBe(true)
  expect(world.timers).toBe(0)
  expect(world.socket.closedWith).toBe(1000)
})
