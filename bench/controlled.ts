import { type HeapProfiler, type Profiler, Session } from 'node:inspector/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/**
 * Loaded into each server of the bench before its own code: answers what the bench asks it. It does nothing between
 * questions, and ends the server with the bench.
 */

/** What may be asked, and what is answered. */
export interface Questions {
  /** Memory after a collection, in bytes. */
  collect: { readonly rss: number; readonly used: number }
  /** From now on the event loop's delay is measured. */
  watchDelay: null
  /** Since then, in milliseconds. */
  delay: { readonly p99: number; readonly most: number }
  startProfile: null
  stopProfile: { readonly cpu: Profiler.Profile; readonly heap: HeapProfiler.SamplingHeapProfile }
}

export type Question = keyof Questions

const RESOLUTION_MS = 5
/** Microseconds between two looks at the stack; bytes between two allocations that are noted. */
const CPU_INTERVAL = 200
const HEAP_INTERVAL = 16_384

const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
const session = new Session()

const answers: { readonly [Q in Question]: () => Promise<Questions[Q]> } = {
  collect: async () => {
    // Twice: what the first one only marks as finished, the second one frees.
    for (let i = 0; i < 2; i++) await globalThis.gc?.({ type: 'major', execution: 'async' })
    const { rss, heapUsed, external } = process.memoryUsage()
    return { rss, used: heapUsed + external }
  },
  watchDelay: async () => {
    delays.enable()
    delays.reset()
    return null
  },
  delay: async () => {
    delays.disable()
    const inMs = (ns: number): number => Math.max(0, ns / 1e6 - RESOLUTION_MS)
    return { p99: inMs(delays.percentile(99)), most: inMs(delays.max) }
  },
  startProfile: async () => {
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: CPU_INTERVAL })
    const flags = { includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true }
    await session.post('HeapProfiler.startSampling', { samplingInterval: HEAP_INTERVAL, ...flags })
    await session.post('Profiler.start')
    return null
  },
  stopProfile: async () => {
    const { profile: cpu } = await session.post('Profiler.stop')
    const { profile: heap } = await session.post('HeapProfiler.stopSampling')
    session.disconnect()
    return { cpu, heap }
  },
}

process.on('message', async (question: Question) => {
  process.send?.(await answers[question]())
})
process.on('disconnect', () => process.exit(0))
process.channel?.unref()
