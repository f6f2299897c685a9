import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openLmdbStore } from '../../src/adapters/lmdb/open-lmdb-store.ts'
import { systemRng } from '../../src/adapters/system-rng.ts'
import { roomOf } from '../contract/requests.ts'
import { StoreDriver } from './store-driver.ts'

const ROOMS = 12
const MOST_ANSWERS = 300

/** What was answered, by room: at each version the id of its command. */
type Ledger = readonly Map<number, string>[]

/** Plays, kills and looks, so many times; after each kill nothing that was answered may be missing. */
export async function killAgainAndAgain(kills: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'junqi-kill-'))
  const ledger: Ledger = Array.from({ length: ROOMS }, () => new Map())
  let versions = ledger.map(() => 0)
  let time = 0
  for (let round = 0; round < kills; round++) {
    await playUntilKilled({ folder, ledger, versions, round })
    const store = await openLmdbStore({ folder, rng: systemRng })
    expect(store.clock.now()).toBeGreaterThanOrEqual(time)
    time = store.clock.now()
    versions = await Promise.all(
      ledger.map(async (answered, room) => {
        const log = await store.read(roomOf(room), 0)
        expect(log.map(({ version }) => version)).toEqual(log.map((_, n) => n + 1))
        for (const [version, id] of answered) {
          expect(log[version - 1]?.data).toBe(JSON.stringify({ id }))
        }
        return log.length
      }),
    )
    await store.close()
  }
  expect(versions.reduce((sum, version) => sum + version)).toBeGreaterThan(kills * ROOMS)
  await rm(folder, { recursive: true })
}

interface Round {
  readonly folder: string
  readonly ledger: Ledger
  readonly versions: readonly number[]
  readonly round: number
}

/** Plays in all rooms at once; the process is killed in the midst of it, at a random answer. */
async function playUntilKilled({ folder, ledger, versions, round }: Round): Promise<void> {
  const driver = await StoreDriver.start({ folder })
  let left = Math.ceil(Math.random() * MOST_ANSWERS)
  const play = async (room: number): Promise<void> => {
    for (let version = versions[room] ?? 0; ; version++) {
      const id = `${round}-${room}-${version}`
      const answer = await driver.append(roomOf(room), version, id)
      if (answer === null) return
      expect(answer).toEqual({ id, type: 'appended', version: version + 1 })
      ledger[room]?.set(answer.version, id)
      left -= 1
      if (left === 0) await driver.stop('SIGKILL')
    }
  }
  await Promise.all(ledger.map((_, room) => play(room)))
}
