import type { RowName } from './budgets.ts'
import { post } from './junqi-room.ts'
import { type LightSocket, openLightSocket } from './light-socket.ts'
import type { PeerGame } from './peer-game.ts'
import { hasReceived, TABLE, type TableMoves } from './table-room.ts'

/** A server that others would pick, and how the load speaks with it. */
export interface Peer {
  readonly row: RowName
  /** Of bench/peers. */
  readonly script: string
  /** Four sockets in a new room. Of each move every one gets one frame that counts. */
  open(port: number, room: string, game: PeerGame): Promise<PeerRoom>
}

interface PeerRoom {
  readonly sockets: readonly LightSocket[]
  readonly text: TableMoves['text']
}

/** Frames of socket.io: `4` a message of Engine.IO, `2` an event; `3` the answer to one. */
const socketIo: Peer = {
  row: 'peer-socket-io',
  script: 'socket-io.js',
  open: async (port, room, { pieces, moves }) => {
    const sockets = await openEngineIo(port, '')
    for (const [i, socket] of sockets.entries()) {
      await reply(socket, `420["join","${room}","${TABLE[i]}",${JSON.stringify(pieces)}]`, '430')
      socket.counts = startsWith('42["event"')
    }
    return { sockets, text: (i) => `42["move",${JSON.stringify(moves[i])}]` }
  },
}

const boardgameIo: Peer = {
  row: 'peer-boardgame-io',
  script: 'boardgame-io.js',
  open: async (port, room, { pieces, moves }) => {
    const sockets = await openEngineIo(port, '/junqi,')
    // The first one makes the match.
    for (const [i, socket] of sockets.entries()) {
      const sync = JSON.stringify(['sync', room, String(i), null, TABLE.length])
      await reply(socket, `42/junqi,${sync}`, '42/junqi,["sync"')
      socket.counts = startsWith('42/junqi,["update"')
    }
    const update = (state: number, playerID: string, type: string, args: unknown): string => {
      const action = { type: 'MAKE_MOVE', payload: { type, args, playerID } }
      return `42/junqi,${JSON.stringify(['update', action, state, room, playerID])}`
    }
    sockets[0]?.send(update(0, '0', 'place', [pieces]))
    await Promise.all(sockets.map((socket) => hasReceived(socket, socket.received + 1)))
    const text = (i: number): string => {
      const { seat, from, to, left } = moves[i] ?? NO_MOVE
      return update(i + 1, String(TABLE.indexOf(seat)), 'move', [from, to, left])
    }
    return { sockets, text }
  },
}

/** Bytes that Colyseus begins a frame with. */
const JOIN_ROOM = 10
const ROOM_DATA = 13
const ROOM_STATE = 14
const ROOM_STATE_PATCH = 15

const colyseus: Peer = {
  row: 'peer-colyseus',
  script: 'colyseus.js',
  open: async (port, _, { pieces, moves }) => {
    const sockets: LightSocket[] = []
    let room: string | null = null
    for (const seat of TABLE) {
      const place = await post(
        port,
        room === null ? '/matchmake/create/junqi' : `/matchmake/joinById/${room}`,
        room === null ? { pieces, seat } : { seat },
      )
      room = String(place.roomId)
      const path = `/${place.processId}/${room}?sessionId=${place.sessionId}`
      const socket = await openLightSocket(port, path, [])
      sockets.push(socket)
      await hasReceived(socket, 1)
      socket.counts = beginsWith(ROOM_STATE)
      socket.send(Uint8Array.of(JOIN_ROOM))
      await hasReceived(socket, 2)
      socket.counts = beginsWith(ROOM_STATE_PATCH)
    }
    const text = (i: number): Uint8Array => {
      const { from, to, left } = moves[i] ?? NO_MOVE
      const fields = ['from', from, 'to', to, 'left', left].flatMap(packed)
      return Uint8Array.from([ROOM_DATA, ...packed('move'), 0x83, ...fields])
    }
    return { sockets, text }
  },
}

export const PEERS: readonly Peer[] = [socketIo, colyseus, boardgameIo]

const NO_MOVE = { seat: 'south', from: '', to: '', left: 'none' } as const

/** A short text as MessagePack. */
const packed = (text: string): readonly number[] => [0xa0 | text.length, ...Buffer.from(text)]

/** Four sockets of Engine.IO 4 that have joined a namespace. */
async function openEngineIo(port: number, namespace: string): Promise<readonly LightSocket[]> {
  const path = '/socket.io/?EIO=4&transport=websocket'
  const sockets = await Promise.all(TABLE.map(() => openLightSocket(port, path, [])))
  await Promise.all(sockets.map((socket) => reply(socket, `40${namespace}`, `40${namespace}`)))
  return sockets
}

/** Sends, and waits for a frame that begins so. */
function reply(socket: LightSocket, text: string, start: string): Promise<void> {
  return new Promise((resolve) => {
    socket.onFrame = (read) => {
      if (!read().startsWith(start)) return
      socket.onFrame = () => {}
      resolve()
    }
    socket.send(text)
  })
}

function startsWith(text: string): LightSocket['counts'] {
  const bytes = Buffer.from(text)
  return (data, start) => bytes.equals(data.subarray(start, start + bytes.length))
}

const beginsWith =
  (byte: number): LightSocket['counts'] =>
  (data, start) =>
    data[start] === byte
