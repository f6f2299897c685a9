import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { roomOf } from '../contract/requests.ts'
import { StoreDriver } from './store-driver.ts'
import { hasStrace } from './strace.ts'
import { checkTrace, STRACE_OPTIONS, type TraceVerdict } from './trace-check.ts'

const ROOMS = 20
const MOVES = 10

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'junqi-sync-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Plays moves in many rooms at once against a store under strace. */
async function trace({ unsynced }: { readonly unsynced: boolean }): Promise<TraceVerdict> {
  const output = join(folder, 'trace')
  const driver = await StoreDriver.start({
    folder: join(folder, 'data'),
    unsynced,
    under: ['strace', '-o', output, ...STRACE_OPTIONS],
  })
  const play = async (room: number): Promise<void> => {
    for (let version = 0; version < MOVES; version++) {
      const answer = await driver.append(roomOf(room), version, `mark-${room}-${version}`)
      expect(answer).toMatchObject({ type: 'appended', version: version + 1 })
    }
  }
  await Promise.all(Array.from({ length: ROOMS }, (_, room) => play(room)))
  await driver.stop('SIGTERM')
  const marks = (text: string): Iterable<string> => text.match(/mark-\d+-\d+/g) ?? []
  const rules = { dataFile: '/junqi.mdb', written: marks, sent: marks }
  return checkTrace(await readFile(output, 'latin1'), rules)
}

describe.runIf(hasStrace())('under a system-call trace', () => {
  test('no answer leaves a socket before the sync of its commit has come back', async () => {
    expect(await trace({ unsynced: false })).toEqual({ sent: ROOMS * MOVES, violations: [] })
  })

  test('a store that does not sync is found out', async () => {
    const { sent, violations } = await trace({ unsynced: true })
    expect(sent).toBe(ROOMS * MOVES)
    expect(violations).toHaveLength(sent)
  })
})
