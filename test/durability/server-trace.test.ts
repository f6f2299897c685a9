import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { hasStrace } from '../../packages/server/test/sync/strace.ts'
import {
  checkTrace,
  STRACE_OPTIONS,
  type TraceVerdict,
} from '../../packages/server/test/sync/trace-check.ts'
import { Crowd } from '../support/crowd.ts'
import { Ledger } from '../support/ledger.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { startServer } from '../support/server-process.ts'

const COMMANDS = 250
const OPTIONS = { turnSeconds: 600, deploymentSeconds: 1800, resignFromMove: 10, maxMoves: 100 }
const DUEL = { room: { preset: 'duel', options: OPTIONS, private: false }, players: 2 } as const
const SIGUO = { room: { preset: 'siguo', options: OPTIONS, private: false }, players: 4 } as const
const TABLES = [DUEL, DUEL, SIGUO]

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'junqi-trace-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe.runIf(hasStrace())('under a system-call trace', () => {
  test('no ack and no event leaves a socket before the sync of its commit', async () => {
    const { sent, violations, commands } = await traceGames([])
    expect(violations).toEqual([])
    expect(commands).toBeGreaterThanOrEqual(COMMANDS)
    expect(sent).toBeGreaterThan(COMMANDS)
  })

  test('a server whose store does not sync is found out', async () => {
    const plant = new URL('./plant-unsynced.mjs', import.meta.url)
    const { sent, violations } = await traceGames(['-E', `NODE_OPTIONS=--import=${plant}`])
    expect(violations).toHaveLength(sent)
    expect(sent).toBeGreaterThan(COMMANDS)
  })
})

/** Players do all kinds of things in a few rooms; what the server then wrote and sent is checked. */
async function traceGames(
  options: readonly string[],
): Promise<TraceVerdict & { readonly commands: number }> {
  const output = join(folder, 'trace')
  const strace = ['strace', ...STRACE_OPTIONS, ...options, '-o', output]
  const server = await startServer({ JUNQI_RATE_GUESTS: '1000/s burst 1000' }, strace)
  const ledger = new Ledger()
  try {
    // Ids of commands are marks, and come from seeds: no two players share one.
    const crowd = await Crowd.gather({ url: server.url, ledger, random: seededRandom(1) }, TABLES)
    ledger.onAcknowledged(() => {
      if (ledger.acknowledged.length === COMMANDS) crowd.finish()
    })
    await crowd.play()
    crowd.close()
    await server.kill('SIGTERM')
    const trace = await vi.waitFor(() => endedTrace(output), { timeout: 30_000, interval: 50 })
    return { ...checkTrace(trace, rulesFor(ledger)), commands: ledger.acknowledged.length }
  } finally {
    await server.stop()
  }
}

/** strace outlives the process that it follows by a little. */
async function endedTrace(path: string): Promise<string> {
  const trace = await readFile(path, 'latin1')
  const main = /^\d+/.exec(trace)?.[0]
  expect(trace).toMatch(new RegExp(`^${main} +\\+\\+\\+ (exited|killed)`, 'm'))
  return trace
}

/** Marks: each version of a room, each command that wrote something, each player. */
function rulesFor(ledger: Ledger): Parameters<typeof checkTrace>[1] {
  const stored = ledger.acknowledged.filter(
    ({ command, version }) => version !== null || command.type === 'saveDraft',
  )
  const ids: ReadonlySet<string> = new Set(stored.map(({ command }) => command.id))
  return {
    dataFile: '/junqi.mdb',
    *written(text) {
      for (const [, room, version, id = ''] of text.matchAll(ENTRY)) {
        yield `${room} ${version}`
        yield id
      }
      for (const [, drafts = ''] of text.matchAll(DRAFT)) yield* drafts.split(' ')
      for (const [, player] of text.matchAll(PLAYER)) yield `player ${player}`
    },
    *sent(text) {
      for (const [, room, version] of text.matchAll(FRAME)) yield `${room} ${version}`
      for (const [, id = ''] of text.matchAll(REPLY)) if (ids.has(id)) yield id
      for (const [, player] of text.matchAll(GUEST)) yield `player ${player}`
    },
  }
}

/** As codec.ts of the LMDB adapter writes them. */
const ENTRY = /([0-9a-z]{8}) (\d+) \d+ (?:-|\d+) (?:-|[0-9a-z]{12}) ([\w-]{1,32})\n/g
const DRAFT = /D[0-9a-z]{8} [0-9a-z]{12}([\w-]{1,32}(?: [\w-]{1,32})*)\n[1-9BLF]{25}/g
const PLAYER = /P([0-9a-z]{12})/g
/** As they leave the server. */
const FRAME = /"type":"(?:ack|event|snapshot)",[^{}]*?"room":"([0-9a-z]{8})","version":(\d+)/g
const REPLY = /"type":"(?:ack|event)",[^{}]*?"re":"([\w-]{1,32})"/g
const GUEST = /"id":"([0-9a-z]{12})"[^{}]*"token":/g
