// The real server on real sockets, in a process of its own (from dist), whose time and randomness are those of who started it.
// It is no part of the build, and nothing in the product leads here. Over IPC it is asked, one after the other:
//   open {folder, now, seed, layout, env}  start on a data folder, at a time of the clock; answers {port}
//   settle {advance, sockets}              let time pass, until nothing moves any more, all bytes of these sockets (by the port
//                                          that they come from) are read and no others are open; answers {now, written, faults}
//   close                                  let go of the data folder; another may be opened
//   die {when}                             end by SIGKILL at the next append, `before` it or `after` it
import { setImmediate } from 'node:timers/promises'
import { openLmdbStore } from '../../packages/server/dist/adapters/lmdb/open-lmdb-store.js'
import { WakeUps } from '../../packages/server/dist/adapters/wake-ups.js'
import { buildApp } from '../../packages/server/dist/app.js'
import { archiveConsumer } from '../../packages/server/dist/archive/archive-consumer.js'
import { loadConfig } from '../../packages/server/dist/config.js'
import { makeLogger } from '../../packages/server/dist/logger.js'
import { makeMetrics, meterRooms } from '../../packages/server/dist/metrics.js'
import { makeRooms } from '../../packages/server/dist/room/room-service.js'
import { ScoreKeeper } from '../../packages/server/dist/scores/score-keeper.js'

/** What day it was when the clock stood at 0. */
const DATE = Date.parse('2026-01-01T00:00:00Z')
/** Rounds of the event loop in which nothing may happen before all is taken to be done. */
const CALM = 3
const faults = []
const sockets = new Map()
let pending = 0
let whenIdle = () => {}
let death = null

/** Service time that passes only when it is told. */
class SteppedClock {
  #wakeUps = new WakeUps()
  #now

  constructor(now) {
    this.#now = now
  }

  now() {
    return this.#now
  }

  schedule(at, wake) {
    return this.#wakeUps.add(at, wake)
  }

  /** What becomes due runs at its own time, and whatever it sets off before the next. */
  async advance(milliseconds, settled) {
    const end = this.#now + milliseconds
    for (;;) {
      await settled()
      const next = this.#wakeUps.next()
      if (next === null || next > end) break
      this.#now = Math.max(this.#now, next)
      this.#wakeUps.take(this.#now)?.()
    }
    if (milliseconds === 0) return
    this.#now = end
    await settled()
  }
}

/** The store with another clock. What is asked of it and not answered yet is counted, and the process may die over an append. */
function watched(store, clock) {
  const counted = async (answer) => {
    pending += 1
    try {
      return await answer
    } finally {
      pending -= 1
      if (pending === 0) whenIdle()
    }
  }
  const append = async (request) => {
    if (death === 'before') process.kill(process.pid, 'SIGKILL')
    const appended = await store.append(request)
    if (death === 'after') process.kill(process.pid, 'SIGKILL')
    return appended
  }
  return new Proxy(store, {
    get(target, name) {
      if (name === 'clock') return clock
      const value = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      const call = name === 'append' ? append : value.bind(target)
      return (...args) => {
        const answer = call(...args)
        return answer instanceof Promise ? counted(answer) : answer
      }
    },
  })
}

/** The same bytes in both runs of a pair, as long as both ask for as many of a length; and always the same number. */
function rngOf(seed) {
  const streams = new Map()
  return {
    random: () => randomOf(seed)(),
    bytes(count) {
      const random = streams.get(count) ?? randomOf(seed + count)
      streams.set(count, random)
      return Uint8Array.from({ length: count }, () => Math.floor(random() * 256))
    },
  }
}

/** As random.ts has it. */
function randomOf(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

let [clock, app, store] = [null, null, null]

async function open({ folder, now, seed, layout, env }) {
  const config = loadConfig({ ...env, JUNQI_PORT: '0', JUNQI_ADMIN_PORT: '0' })
  if (!config.ok) throw new Error(config.error)
  const rng = rngOf(seed)
  clock = new SteppedClock(now)
  store = watched(await openLmdbStore({ folder, rng }), clock)
  const logger = makeLogger('error', { write: (line) => faults.push(line) })
  const metrics = makeMetrics()
  const date = () => DATE + clock.now()
  const rooms = await makeRooms({
    store,
    rng,
    log: logger,
    observer: meterRooms(metrics),
    newRooms: config.value.limits.rooms,
    chatRate: config.value.limits.chat,
    botGames: config.value.botGames,
    consumers: [archiveConsumer(store), new ScoreKeeper(store)],
    date,
    deal: layout === null ? undefined : () => layout,
  })
  // The time of limits and pings stands still: when a connection is pinged depends on how many others there were before it.
  const still = new SteppedClock(0)
  app = await buildApp(config.value, {
    store,
    clock: still,
    rng,
    logger,
    rooms,
    metrics,
    date,
  })
  app.http.server.on('connection', (socket) => {
    const { remotePort } = socket
    sockets.set(remotePort, socket)
    socket.once('close', () => sockets.delete(remotePort))
  })
  const { url } = await app.listen()
  await settled([])
  return { port: Number(new URL(url).port) }
}

const areRead = (wanted) =>
  wanted.length === sockets.size &&
  wanted.every(([port, bytes]) => sockets.get(port)?.bytesRead === bytes)

async function settled(wanted) {
  for (let calm = 0; calm < CALM; ) {
    if (pending > 0) {
      await new Promise((resolve) => {
        whenIdle = resolve
      })
    }
    await setImmediate()
    calm = pending === 0 && areRead(wanted) ? calm + 1 : 0
  }
}

async function settle({ advance, sockets: wanted }) {
  await clock.advance(advance, () => settled(wanted))
  const written = [...sockets].map(([port, { bytesWritten }]) => [port, bytesWritten])
  return { now: clock.now(), written, faults }
}

async function close() {
  await app.close()
  await store.close()
  return {}
}

async function answer(asked) {
  switch (asked.type) {
    case 'open':
      return open(asked)
    case 'close':
      return close()
    case 'settle':
      return settle(asked)
    default:
      death = asked.when
      return {}
  }
}

process.on('message', async (asked) => {
  try {
    process.send(await answer(asked))
  } catch (error) {
    process.send({ error: error.stack })
  }
})
process.on('disconnect', () => process.exit(0))
process.send({ type: 'loaded' })
