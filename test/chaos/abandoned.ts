import { type Client, connect, createGuest } from '@junqi/client'
import { type BySeat, bySeat, SEATS, type Seat } from '@junqi/engine'
import type { Guest } from '@junqi/protocol'
import { vi } from 'vitest'
import WebSocket from 'ws'
import { stateAt } from '../support/audit.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { good, makeRoom, moveIn, startGame } from './game.ts'
import type { RedisRecords } from './redis-records.ts'
import { Site } from './site.ts'
import { quietVitals, type Vitals, vitalsOf } from './vitals.ts'

export interface AbandonSize {
  readonly waves: number
  /** Players, four to a group; each wave each of them makes as many rooms as it may. */
  readonly groups: number
  /** At the end it is waited until all is gone that goes by itself in a minute or two. */
  readonly isPatient: boolean
}

/** What is there when everybody has gone, and all that was due has happened. */
export interface Rest {
  /** Rooms made so far, and those of them that are games that came to an end: their records stay. */
  readonly made: number
  readonly finished: number
  /** Keys that were not there before and are not of such a record. */
  readonly strays: readonly string[]
  readonly vitals: readonly Vitals[]
}

export interface AbandonReport {
  readonly before: readonly Vitals[]
  /** After each wave. */
  readonly after: readonly Rest[]
  /** When all is forgotten that was to be. */
  readonly end: readonly Vitals[]
}

const NODES = 2
/** A player is host of no more rooms at a time. */
const HOSTED = 8
/** In one of so many rooms they play a little. */
const PLAYED = 8
const MOVES = 6
/** A turn that is not made is the last of its seat. */
const OPTIONS = { firstSeat: 'south', turnSeconds: 5, timeoutForfeit: 1 } as const
/** HTTP connections of this process that a node may keep for a minute more. */
const KEPT_ALIVE = SEATS.length
const PATIENCE = { timeout: 600_000, interval: 100 }

/**
 * Rooms are made, played in a little and left, wave after wave; then the hours pass in which each of them has its end.
 * Those are not waited for: service time is set forward in the store. All else, Redis's own expiries too, takes its time.
 */
export async function abandonRun(
  size: AbandonSize,
  progress: (line: string) => void,
): Promise<AbandonReport> {
  const site = await Site.start(NODES)
  try {
    const before = await Promise.all(site.nodes.map(({ server }) => vitalsOf(server)))
    const groups: BySeat<Guest>[] = []
    while (groups.length < size.groups) groups.push(await makeGroup(site.balancer.url))
    const keys = new Set(await site.records.keys())
    const after: Rest[] = []
    const random = seededRandom(1)
    while (after.length < size.waves) {
      await Promise.all(groups.map((group) => makeAndLeave(site, group, random)))
      await passTime(site.records)
      const made = (after.length + 1) * size.groups * SEATS.length * HOSTED
      const rest = { made, ...(await restOf(site, { keys, vitals: before })) }
      after.push(rest)
      progress(formatAbandoned({ before, after, end: [] }))
    }
    if (size.isPatient) await forgotten(site.records)
    const end = await Promise.all(site.nodes.map(({ server }) => vitalsOf(server)))
    return { before, after, end }
  } finally {
    await site.stop()
  }
}

async function makeGroup(url: string): Promise<BySeat<Guest>> {
  const [south, east, north, west] = await Promise.all(
    SEATS.map(async (seat) => good(await createGuest(url, seat))),
  )
  if (!south || !east || !north || !west) throw new Error('not four')
  return { south, east, north, west }
}

const seatAt = (n: number): Seat => SEATS[n % SEATS.length] ?? 'south'

async function makeAndLeave(
  { balancer }: Site,
  guests: BySeat<Guest>,
  random: () => number,
): Promise<void> {
  const clients = bySeat((seat) => {
    const { token } = guests[seat]
    return connect({ url: balancer.url, token, clientName: 'abandoned', WebSocket })
  })
  try {
    for (let n = 0; n < SEATS.length * HOSTED; n++) {
      // Each is the first in its turn.
      const turned = bySeat((seat) => clients[seatAt(SEATS.indexOf(seat) + n)])
      if (n % PLAYED === 0) await playALittle(turned)
      else await sitForAWhile(turned, 1 + Math.floor(random() * SEATS.length))
    }
  } finally {
    for (const seat of SEATS) clients[seat].close()
  }
}

async function playALittle(clients: BySeat<Client>): Promise<void> {
  const game = await startGame(clients, OPTIONS)
  for (let n = 0; n < MOVES; n++) await moveIn(game[seatAt(n)], n)
  for (const seat of SEATS) game[seat].close()
}

async function sitForAWhile(clients: BySeat<Client>, count: number): Promise<void> {
  const room = await makeRoom(clients.south, OPTIONS)
  for (const seat of SEATS.slice(0, count)) {
    const handle = clients[seat].room(room)
    good(await handle.sit(seat))
    good(await handle.ready())
    handle.close()
  }
}

/** Service time goes on until nothing is due any more: lobbies close, games run out, closed rooms are forgotten. */
async function passTime(records: RedisRecords): Promise<void> {
  for (let due = await records.due(); due.size > 0; due = await records.due()) {
    const last = Math.max(...due.values())
    await records.advanceTo(last + 1_000)
    await vi.waitUntil(async () => {
      const now = await records.due()
      return [...due].every(([room, deadline]) => now.get(room) !== deadline)
    }, PATIENCE)
  }
}

async function restOf(
  { nodes, records }: Site,
  { keys, vitals }: { readonly keys: ReadonlySet<string>; readonly vitals: readonly Vitals[] },
): Promise<Omit<Rest, 'made'>> {
  const after = await Promise.all(
    nodes.map(({ server }, n) => quietVitals(server, (vitals[n]?.descriptors ?? 0) + KEPT_ALIVE)),
  )
  const finished = await finishedGames(records)
  const strays = (await records.keys()).filter(
    (key) => !keys.has(key) && !isKept(key, finished) && !SHORT_LIVED.test(key),
  )
  return { finished: finished.size, strays, vitals: after }
}

async function finishedGames(records: RedisRecords): Promise<ReadonlySet<string>> {
  const finished = new Set<string>()
  for (const room of await records.rooms()) {
    const { log } = await records.room(room)
    if (stateAt(log)?.phase === 'finished') finished.add(room)
  }
  return finished
}

/**
 * A finished game keeps its log, its place in the archive and what belongs to it, and its end is to be handed on; its
 * players have scores, and their formations.
 */
export const isKept = (key: string, finished: ReadonlySet<string>): boolean =>
  /:(outbox|ends)$|:(tally|board|games|formations):/.test(key) ||
  finished.has(/:(?:log|room|commands|drafts|settled|game):(\w+)/.exec(key)?.[1] ?? '')

/** What was touched in the last minute, and quotas that are not full again. */
export const SHORT_LIVED = /:touched$|:quota:/

async function forgotten(records: RedisRecords): Promise<void> {
  await vi.waitUntil(
    async () => !(await records.keys()).some((key) => SHORT_LIVED.test(key)),
    PATIENCE,
  )
}

export function formatAbandoned({ before, after, end }: AbandonReport): string {
  const cells = (values: readonly (string | number)[]): string =>
    values.map((value) => String(value).padStart(12)).join('')
  const vitals = (all: readonly Vitals[]): readonly (string | number)[] =>
    all.flatMap(({ descriptors, heapBytes }) => [
      descriptors,
      `${(heapBytes / 2 ** 20).toFixed(1)} MiB`,
    ])
  return [
    cells(['rooms', 'finished', 'stray keys', ...before.flatMap(() => ['descriptors', 'heap'])]),
    cells([0, 0, 0, ...vitals(before)]),
    ...after.map((rest) =>
      cells([rest.made, rest.finished, rest.strays.length, ...vitals(rest.vitals)]),
    ),
    cells(['at the end', '', '', ...vitals(end)]),
  ].join('\n')
}
