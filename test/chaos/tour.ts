import type { Acknowledged } from '../support/ledger.ts'
import { FAULTS, type Fault } from './faults.ts'
import { type Findings, linesOf, together, WRONGS } from './findings.ts'
import { Scene } from './scene.ts'
import { isInPlay, percentile, Silences } from './silences.ts'
import { Site } from './site.ts'
import { briskTables, lingeringTables } from './tables.ts'
import { quietVitals, type Vitals, vitalsOf } from './vitals.ts'

export interface TourSize {
  /** Tables where they play on, and tables where they race with the ends of their turns. */
  readonly brisk: number
  readonly lingering: number
  /** How often each fault strikes. */
  readonly rounds: number
  readonly seed: number
}

/** What one fault brought about, all its times together. */
export interface Row {
  readonly fault: string
  readonly times: number
  readonly acknowledged: number
  readonly findings: Findings
  /** Of each brisk table in play each time: the longest in which nothing was accepted there, in milliseconds. */
  readonly silences: readonly number[]
}

export interface TourReport {
  readonly rows: readonly Row[]
  /** Turns that ran out. */
  readonly timeouts: number
  /** Of the nodes, before the players came and after they had gone. */
  readonly before: readonly Vitals[]
  readonly after: readonly Vitals[]
  /** What the nodes wrote that tells of a bug. */
  readonly complaints: readonly string[]
}

const NODES = 3

/** Strikes with every fault while people play, and holds the store and what everyone sees against the ledger after each. */
export async function tour(size: TourSize, progress: (line: string) => void): Promise<TourReport> {
  const site = await Site.start(NODES)
  try {
    const before = await Promise.all(site.nodes.map(({ server }) => vitalsOf(server)))
    const rows: Row[] = []
    const tour = new Tour(site, size)
    for await (const row of tour.rows()) {
      progress([formatRow(row), ...linesOf(row.findings)].join('\n  '))
      rows.push(row)
    }
    const after = await Promise.all(
      site.nodes.map(({ server }, n) => quietVitals(server, before[n]?.descriptors ?? 0)),
    )
    return { rows, timeouts: tour.timeouts, before, after, complaints: site.complaints() }
  } catch (error) {
    progress(site.complaints().join('\n'))
    throw error
  } finally {
    await site.stop()
  }
}

class Tour {
  readonly #site: Site
  readonly #size: TourSize
  timeouts = 0

  constructor(site: Site, size: TourSize) {
    this.#site = site
    this.#size = size
  }

  async *rows(): AsyncGenerator<Row> {
    const { brisk, lingering, rounds, seed } = this.#size
    const tables = [...briskTables(brisk), ...lingeringTables(lingering)]
    const scene = await Scene.open(this.#site, tables, seed)
    try {
      await scene.everyTableActs()
      for (const fault of FAULTS) {
        const strikes: Row[] = []
        while (strikes.length < rounds) strikes.push(await this.#strike(fault, scene))
        yield sumOf(fault.name, strikes)
      }
      yield await lastRow(scene)
      this.timeouts = scene.timeouts
    } finally {
      scene.close()
    }
  }

  async #strike(fault: Fault, scene: Scene): Promise<Row> {
    const { ledger, crowd } = scene
    const before = ledger.acknowledged.length
    const silences = new Silences(crowd.tables.slice(0, this.#size.brisk).filter(isInPlay))
    const stop = ledger.onAcknowledged((acknowledged: Acknowledged) => silences.heard(acknowledged))
    await scene.during(fault.strike(this.#site))
    await scene.everyTableActs()
    stop()
    const findings = await scene.audit()
    const acknowledged = ledger.acknowledged.length - before
    return { fault: fault.name, times: 1, acknowledged, findings, silences: silences.longest() }
  }
}

/** All games are played to their ends, and everything is looked at once more. */
async function lastRow(scene: Scene): Promise<Row> {
  const findings = await scene.finish()
  const acknowledged = scene.ledger.acknowledged.length
  return { fault: 'all of it, at the end', times: 1, acknowledged, findings, silences: [] }
}

const sumOf = (fault: string, rows: readonly Row[]): Row => ({
  fault,
  times: rows.length,
  acknowledged: rows.reduce((sum, row) => sum + row.acknowledged, 0),
  findings: together(rows.map(({ findings }) => findings)),
  silences: rows.flatMap(({ silences }) => silences),
})

/** All that must not be, a line each. */
export const wrongIn = ({ rows, complaints }: TourReport): readonly string[] => [
  ...rows.flatMap(({ fault, findings }) => linesOf(findings).map((line) => `${fault}: ${line}`)),
  ...complaints.map((line) => `complaint: ${line}`),
]

/** Code is compiled and caches fill; beyond that nothing stays. */
const HEAP_SLACK = 16 * 2 ** 20

/** Nodes that hold more after everyone has gone than before, a line each. */
export const grownHeaps = ({ before, after }: TourReport): readonly string[] =>
  after.flatMap(({ heapBytes }, n) => {
    const grown = heapBytes - (before[n]?.heapBytes ?? 0)
    return grown > HEAP_SLACK ? [`node ${n} by ${mib(grown)} MiB`] : []
  })

const cells = (name: string, numbers: readonly (number | string)[]): string =>
  [name.padEnd(42), ...numbers.map((number) => String(number).padStart(13))].join('')

function formatRow({ fault, times, acknowledged, findings, silences }: Row): string {
  const gaps = [0.5, 0.99].map((share) => Math.round(percentile(silences, share)))
  const wrongs = WRONGS.map((wrong) => findings[wrong].length)
  return cells(fault, [times, acknowledged, ...wrongs, ...gaps])
}

export function formatTour({ rows, timeouts, before, after }: TourReport): string {
  const vitals = (name: string, all: readonly Vitals[]): string =>
    cells(
      name,
      all.flatMap(({ descriptors, heapBytes }) => [descriptors, `${mib(heapBytes)} MiB`]),
    )
  return [
    cells('fault', ['times', 'acknowledged', ...WRONGS, 'gap p50 ms', 'gap p99 ms']),
    ...rows.map(formatRow),
    cells('turns that ran out', [timeouts]),
    vitals('descriptors and heap of the nodes before', before),
    vitals('and after', after),
  ].join('\n')
}

const mib = (bytes: number): string => (bytes / 2 ** 20).toFixed(1)
