import { readdirSync, readFileSync } from 'node:fs'
import { expect, vi } from 'vitest'
import type { ServerProcess } from '../support/server-process.ts'

/** What a process has in hand. */
export interface Vitals {
  readonly connections: number
  readonly descriptors: number
  /** After a collection. */
  readonly heapBytes: number
  /** All that is in memory; and without the files that are mapped there, as LMDB's is. */
  readonly residentBytes: number
  readonly ownBytes: number
  /** Rooms in memory. */
  readonly rooms: number
  /** How late the event loop was since the last look: the 99th percentile. */
  readonly loopDelayMs: number
}

/** Of a server under `collectable.mjs`. */
export async function vitalsOf(server: ServerProcess): Promise<Vitals> {
  const { pid } = server
  if (pid === null) throw new Error('no process')
  // Before the collection, which makes it wait; the metric starts over with each reading.
  const loopDelayMs = 1000 * (await readMetric(server, 'junqi_nodejs_eventloop_lag_p99_seconds'))
  process.kill(pid, 'SIGUSR2')
  // The signal is served before the second request.
  await readMetrics(server)
  const metrics = await readMetrics(server)
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kibIn = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1])
  return {
    connections: valueIn(metrics, 'junqi_connections'),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    heapBytes: valueIn(metrics, 'junqi_nodejs_heap_size_used_bytes'),
    residentBytes: 1024 * kibIn('VmRSS'),
    ownBytes: 1024 * kibIn('RssAnon'),
    rooms: valueIn(metrics, 'junqi_rooms'),
    loopDelayMs,
  }
}

/** When its visitors have gone, and it has no more descriptors than before. */
export async function quietVitals(server: ServerProcess, descriptors: number): Promise<Vitals> {
  return vi.waitFor(
    async () => {
      const vitals = await vitalsOf(server)
      expect(vitals.connections).toBe(0)
      expect(vitals.descriptors).toBeLessThanOrEqual(descriptors)
      return vitals
    },
    { timeout: 60_000, interval: 500 },
  )
}

export async function readMetric(server: ServerProcess, name: string): Promise<number> {
  return valueIn(await readMetrics(server), name)
}

async function readMetrics({ adminUrl }: ServerProcess): Promise<string> {
  const response = await fetch(`${adminUrl}/metrics`, { headers: { connection: 'close' } })
  return response.text()
}

function valueIn(metrics: string, name: string): number {
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]
  if (value === undefined) throw new Error(`no metric ${name}`)
  return Number(value)
}
