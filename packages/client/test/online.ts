import { type ClientMessage, commandId, LIMITS, type Player, playerId } from '@junqi/protocol'
import { type Client, connect, type TokenSource } from '../src/index.ts'
import { type FakeSocket, FakeWorld } from './fake-world.ts'

/** Who the clients of these tests are. */
export const ming: Player = { id: playerId.parse('2w9h4t7kz0pm'), name: 'Ming' }

/** A client that lives in a world of the test's. */
export function connectIn(world: FakeWorld, token: TokenSource = 'secret'): Client {
  const { now, random, schedule, fetch, onNetwork, WebSocket } = world
  const url = 'http://junqi.test'
  return connect({
    url,
    token,
    clientName: 'test/1',
    WebSocket,
    now,
    random,
    schedule,
    fetch,
    onNetwork,
  })
}

/** The handshake and the welcome. */
export function welcome(socket: FakeSocket, serverTime = 50_000): void {
  socket.open()
  socket.push({
    type: 'welcome',
    re: commandId.parse(socket.lastQuestion),
    protocol: 'junqi.v1',
    serverTime,
    player: ming,
    limits: LIMITS,
  })
}

/** A client that was welcomed. */
export function online(): { readonly world: FakeWorld; readonly client: Client } {
  const world = new FakeWorld()
  const client = connectIn(world)
  welcome(world.socket)
  return { world, client }
}

/** Answers what was asked last, of no room. */
export function accept(socket: FakeSocket): ClientMessage {
  const message = socket.received.at(-1)
  if (message === undefined) throw new Error('nothing was asked')
  socket.push({ type: 'ack', re: message.id, room: null, version: null })
  return message
}
