import { connect } from 'node:net'
import { type LightSocket, openLightSocket } from './light-socket.ts'

import { seededRandom } from './scripts.ts'
import { startJunqi, startJunqiOnRedis } from './server-process.ts'
import { median } from './statistics.ts'
import { openTwinRoom, type TwinRoom, type World } from './twin-room.ts'

/**
 * `npm run bench:timing [-- lmdb|redis]`: whether who may not know a thing could tell it by how long the server takes, or
 * by how much it says. Each line compares two things that are to look alike, asked in turns, at random which comes first.
 */
const REPEATS = 500
/** Rooms in which a piece is attacked; each can be asked once. */
const ATTACKED = 100
/** Beyond that many standard deviations a difference is taken to be one: by chance it is once in a thousand lines. */
const TELLING = 3.3

interface Sample {
  readonly microseconds: number
  /** Of the answer, with every number written in one digit: a time may have one more than another. */
  readonly bytes: number
}

type Ask = (n: number) => Promise<Sample>

/** Two things that are to look alike. */
interface Alike {
  readonly what: string
  readonly one: Ask
  readonly other: Ask
  readonly repeats: number
}

async function report(store: string, server: Awaited<ReturnType<typeof startJunqi>>) {
  const [port = 0] = server.ports
  process.stdout.write(`\nOver ${store}, medians in microseconds, there and back:\n`)
  try {
    for await (const alike of alikesAt(port)) process.stdout.write(`${await inWords(alike)}\n`)
  } finally {
    await server.stop()
  }
}

async function* alikesAt(port: number): AsyncGenerator<Alike> {
  const [south, north, stranger] = await Promise.all([guest(port), guest(port), guest(port)])
  const open = (world: World, isPrivate = false) =>
    openTwinRoom({ south: south.socket, north: north.socket }, world, isPrivate)
  const reading = async (path: string, token: string | null): Promise<Ask> => {
    const http = await openHttp(port)
    return () => http(path, token)
  }
  const asking =
    ({ socket }: Guest, room: string, message: () => object): Ask =>
    (n) =>
      timed(socket, { ...message(), id: `t${n}`, room })
  const inRooms: readonly (readonly [string, (room: TwinRoom) => Ask | Promise<Ask>])[] = [
    ['a move', (room) => () => room.shuttle(timed)],
    ['a refused move onto a hidden piece', ({ room, refused }) => asking(south, room, refused)],
    ['a snapshot', ({ room }) => asking(south, room, () => ({ type: 'subscribe' }))],
    ['the room over HTTP', ({ room }) => reading(`/v1/rooms/${room}`, south.token)],
  ]
  for (const [what, ask] of inRooms) {
    for (const world of ['one', 'other'] as const) {
      const rooms = [await open('one'), await open(world)] as const
      const worlds = world === 'one' ? 'one world, twice' : 'two worlds'
      const [one, other] = [await ask(rooms[0]), await ask(rooms[1])]
      yield { what: `${what}; ${worlds}`, one, other, repeats: REPEATS }
      for (const room of rooms) await room.close()
    }
  }
  const attackIn = (world: World): Ask => {
    return async () => {
      const room = await open(world)
      const attacked = await room.attack(timed)
      await room.close()
      return attacked
    }
  }
  yield {
    what: 'an attack on a hidden piece; two worlds',
    one: attackIn('one'),
    other: attackIn('other'),
    repeats: ATTACKED,
  }
  const [running, hidden] = [await open('one'), await open('one', true)]
  const entering = (room: string) => asking(stranger, room, () => ({ type: 'subscribe' }))
  yield {
    what: 'a stranger enters a private room in memory; one that does not exist',
    one: entering(hidden.room),
    other: entering(UNKNOWN),
    repeats: REPEATS,
  }
  const wrong = `${south.token.slice(0, 13)}${'A'.repeat(43)}`
  const nobodys = `${NOBODY}.${'A'.repeat(43)}`
  const reads: readonly (readonly [string, Read, Read])[] = [
    [
      'the same over HTTP',
      [`/v1/rooms/${hidden.room}`, stranger.token],
      [`/v1/rooms/${UNKNOWN}`, stranger.token],
    ],
    [
      'the record of a game that runs; of one that does not exist',
      [`/v1/games/${running.room}/record`, stranger.token],
      [`/v1/games/${UNKNOWN}/record`, stranger.token],
    ],
    [
      "a wrong token in a player's name; in that of nobody",
      ['/v1/session', wrong],
      ['/v1/session', nobodys],
    ],
    ['a wrong token; none', ['/v1/session', wrong], ['/v1/session', null]],
  ]
  for (const [what, one, other] of reads) {
    yield { what, one: await reading(...one), other: await reading(...other), repeats: REPEATS }
  }
}

async function inWords({ what, one, other, repeats }: Alike): Promise<string> {
  const random = seededRandom(repeats)
  const [ones, others]: [Sample[], Sample[]] = [[], []]
  for (let n = 0; n < repeats; n++) {
    const isFirst = random() < 0.5
    if (isFirst) ones.push(await one(n))
    others.push(await other(n))
    if (!isFirst) ones.push(await one(n))
  }
  const times = [ones, others].map((samples) => samples.map(({ microseconds }) => microseconds))
  const [mine = [], its = []] = times
  const { share, deviations } = rankTest(mine, its)
  const [first, second] = [median(mine), median(its)]
  const isAlike = Math.abs(deviations) < TELLING
  const time = isAlike
    ? 'no difference in time'
    : `DIFFERENT in time by ${(second - first).toFixed(0)}`
  const size = sizesOf(ones) === sizesOf(others) ? 'sizes alike' : 'DIFFERENT in size'
  return [
    `- ${what}: ${time}, ${size}`,
    `  (${first.toFixed(0)} and ${second.toFixed(0)}; the second takes longer in ${(share * 100).toFixed(0)} % of all pairs;`,
    `  ${deviations.toFixed(1)} standard deviations, of ${repeats} each)`,
  ].join('\n')
}

const sizesOf = (samples: readonly Sample[]): string => samples.map(({ bytes }) => bytes).join()

/** Mann and Whitney: in what share of all pairs the other is more, and how far that is from a half. */
function rankTest(one: readonly number[], other: readonly number[]) {
  const all = [
    ...one.map((value) => ({ value, isOther: false })),
    ...other.map((value) => ({ value, isOther: true })),
  ].sort((a, b) => a.value - b.value)
  let [ranks, from] = [0, 0]
  while (from < all.length) {
    const value = all[from]?.value
    let to = from
    while (to < all.length && all[to]?.value === value) to++
    // Equal values share the ranks that they take up.
    const rank = (from + 1 + to) / 2
    ranks += rank * all.slice(from, to).filter(({ isOther }) => isOther).length
    from = to
  }
  const [n, m] = [one.length, other.length]
  const greater = ranks - (m * (m + 1)) / 2
  const deviations = (greater - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12)
  return { share: greater / (n * m), deviations }
}

/** A path, and the token that comes along. */
type Read = readonly [string, string | null]

const UNKNOWN = 'zzzzzzzz'
const NOBODY = 'zzzzzzzzzzzz'

interface Guest {
  readonly socket: LightSocket
  readonly token: string
}

async function guest(port: number): Promise<Guest> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/guests`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Ann' }),
  })
  const { token }: { token: string } = JSON.parse(await response.text())
  const socket = await openLightSocket(port, '/v1/ws', ['junqi.v1', `bearer.${token}`])
  await timed(socket, { type: 'hello', id: 'h', client: 'timing' })
  return { socket, token }
}

/** Sends a message, and waits for its answer. */
function timed(socket: LightSocket, message: object): Promise<Sample> {
  const { id }: { id?: string } = message
  const answer = `"re":"${id}"`
  return new Promise((resolve) => {
    const sentAt = performance.now()
    socket.onFrame = (text) => {
      const microseconds = (performance.now() - sentAt) * 1_000
      const told = text()
      if (!told.includes(answer)) return
      socket.onFrame = () => {}
      resolve({ microseconds, bytes: lengthOf(told) })
    }
    socket.send(JSON.stringify(message))
  })
}

const lengthOf = (text: string): number => text.replaceAll(/\b\d+\b/g, '0').length

/** One connection that is kept: each answer says how long it is. */
async function openHttp(port: number) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await new Promise((resolve) => socket.once('connect', resolve))
  return (path: string, token: string | null): Promise<Sample> =>
    new Promise((resolve) => {
      let text = ''
      const sentAt = performance.now()
      const read = (data: Buffer): void => {
        text += data.toString('latin1')
        const end = text.indexOf('\r\n\r\n')
        const length = Number(/content-length: (\d+)/i.exec(text)?.[1])
        if (end < 0 || text.length < end + 4 + length) return
        socket.off('data', read)
        const microseconds = (performance.now() - sentAt) * 1_000
        resolve({ microseconds, bytes: lengthOf(text) })
      }
      socket.on('data', read)
      const bearer = token === null ? '' : `authorization: Bearer ${token}\r\n`
      socket.write(`GET ${path} HTTP/1.1\r\nhost: junqi\r\n${bearer}\r\n`)
    })
}

const [only] = process.argv.slice(2)
if (only !== 'redis') await report('LMDB', await startJunqi())
if (only !== 'lmdb') await report('Redis', await startJunqiOnRedis(1))
