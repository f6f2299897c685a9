import { type LightSocket, openLightSocket } from './light-socket.ts'
import { BENCH_OPTIONS, type Script } from './scripts.ts'
import type { ServerProcess } from './server-process.ts'
import { makeRoom, moveText, TABLE, type TableRoom } from './table-room.ts'

/** A player with a connection that was welcomed. */
export interface Guest {
  readonly token: string
  readonly socket: LightSocket
}

export interface JunqiRoom extends TableRoom {
  readonly room: string
}

type Reply = Readonly<Record<string, unknown>>

/** A number that no other call got, for ids of commands. */
let asked = 0

export async function guestToken(port: number): Promise<string> {
  const guest = await post(port, '/v1/guests', { name: 'bench' })
  return String(guest.token)
}

/** Posts JSON; anything but success throws. */
export async function post(
  port: number,
  path: string,
  body: object,
  token: string | null = null,
): Promise<Reply> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return JSON.parse(text)
}

/** Connects, and waits to be welcomed. */
export async function connectGuest(port: number, token: string): Promise<Guest> {
  const socket = await openLightSocket(port, '/v1/ws', ['junqi.v1', `bearer.${token}`])
  await ask(socket, { type: 'hello', client: 'bench' })
  return { token, socket }
}

export const newGuest = async (port: number): Promise<Guest> =>
  connectGuest(port, await guestToken(port))

/** Four guests, their seats spread over the nodes. */
export const fourGuests = ({ ports }: ServerProcess): Promise<readonly Guest[]> =>
  Promise.all(TABLE.map((_, i) => newGuest(ports[i % ports.length] ?? 0)))

/** A room in play: made, seated, ready, formations handed in. The guests may sit in other rooms as well. */
export async function openJunqiRoom(
  guests: readonly Guest[],
  script: Script,
  hostedBy = 0,
): Promise<JunqiRoom> {
  const sockets = guests.map(({ socket }) => socket)
  const host = sockets[hostedBy]
  if (host === undefined) throw new Error('no guests')
  const preset = { preset: 'siguo', options: BENCH_OPTIONS, private: false }
  const created = await ask(host, { type: 'createRoom', ...preset })
  const room = String(created.room)
  for (const [i, socket] of sockets.entries()) {
    await ask(socket, { type: 'subscribe', room })
    await ask(socket, { type: 'sit', room, seat: TABLE[i] })
    await ask(socket, { type: 'ready', room })
  }
  await ask(host, { type: 'start', room })
  for (const [i, socket] of sockets.entries()) {
    const formation = script.formations.get(TABLE[i] ?? 'south')
    await ask(socket, { type: 'submitFormation', room, formation })
  }
  // At another node the last entries may still be on their way; a snapshot has them.
  for (const socket of sockets) {
    await ask(socket, { type: 'subscribe', room })
    socket.counts = isEvent
  }
  return { room, ...makeRoom(sockets, { script, text: (i) => moveText(room, script, i) }) }
}

export const openGuestRoom = async (
  server: ServerProcess,
  _: number,
  script: Script,
): Promise<JunqiRoom> => openJunqiRoom(await fourGuests(server), script)

const LETTER_E = 0x65
const LETTER_R = 0x72

/** `{"re":…` and `{"type":"event"…` count, presence and the like do not; a refusal ends the bench. */
function isEvent(data: Buffer, start: number): boolean {
  if (data[start + 2] === LETTER_R) return true
  if (data[start + 9] !== LETTER_E) return false
  if (data[start + 10] === LETTER_R) throw new Error(data.toString('utf8', start, start + 200))
  return true
}

/** Sends a command and waits for its one reply; a refusal throws, and so does the end of the connection. */
export function ask(socket: LightSocket, message: object): Promise<Reply> {
  const id = `b${++asked}`
  return new Promise((resolve, reject) => {
    socket.onClose = () => reject(new Error(`closed before ${id} was answered`))
    socket.onFrame = (text) => {
      const reply: Reply = JSON.parse(text())
      if (reply.re !== id) return
      socket.onFrame = () => {}
      socket.onClose = () => {}
      if (reply.type === 'error') reject(new Error(JSON.stringify(reply)))
      else resolve(reply)
    }
    socket.send(JSON.stringify({ ...message, id }))
  })
}
