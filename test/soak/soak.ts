import { quietVitals, type Vitals, vitalsOf } from '../chaos/vitals.ts'
import { Crowd, type TableWish } from '../support/crowd.ts'
import { Ledger } from '../support/ledger.ts'
import { thinking } from '../support/pace.ts'
import { countLine, countLines } from '../support/report-lines.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { openPlace, type Place, type STORES } from './places.ts'
import { KEPT_MINUTES, type Measure, type Sample, trendOf } from './trend.ts'
import { Visits } from './visits.ts'

export interface SoakSize {
  readonly store: (typeof STORES)[number]
  readonly minutes: number
  /** How often a look is taken, in all. */
  readonly samples: number
  /** How often a node is restarted. */
  readonly restarts: number
  /** In this share of the time any node is restarted, afterwards all but the first: so one has a long life. */
  readonly restless: number
  readonly seed: number
}

export interface SoakReport {
  readonly samples: number
  readonly restarts: number
  readonly cuts: number
  readonly visits: number
  readonly visitsCutShort: ReadonlyMap<string, number>
  readonly acknowledged: number
  /** What was judged in the longest life of any node. */
  readonly judged: readonly Measure[]
  /** All that must not be: what rises, wrong replies, complaints, connections and descriptors that stay. */
  readonly wrong: readonly string[]
}

/** Games short enough that there are many, and nobody out because its node was away. */
const OPTIONS = {
  turnSeconds: 600,
  deploymentSeconds: 1800,
  resignFromMove: 10,
  maxMoves: 60,
} as const
const table = (preset: TableWish['room']['preset'], players: number): TableWish => ({
  room: { preset, options: OPTIONS, private: players === 2 },
  players,
  pace: thinking(1_000),
})
/** They sit and play all the time, one game after the other. */
const TABLES = [
  table('siguo', 4),
  table('siguo-ally-open', 4),
  table('duel', 2),
  table('sanguo', 3),
]
const VISITORS = 4
/** Of those connected so many lose their line at each look. */
const CUT_SHARE = 0.15
/** A place where for so long nothing is accepted is stuck. */
const STUCK_MS = 90_000
/** HTTP connections of this process that a node may keep for a minute more, and the like. */
const SPARE_DESCRIPTORS = 8

/** Rooms come and go, players lose their lines and come back, nodes are restarted; what the nodes hold is looked at all along. */
export async function soak(size: SoakSize, progress: (line: string) => void): Promise<SoakReport> {
  const place = await openPlace[size.store]()
  const run = new Soak(place, size, progress)
  try {
    return await run.run()
  } finally {
    run.close()
    await place.stop()
  }
}

/** Of a node, from a start to its end. */
type Life = Sample[]

/** How many visits were made until then. */
interface Look {
  readonly minute: number
  readonly visits: number
}

class Soak {
  readonly #place: Place
  readonly #size: SoakSize
  readonly #progress: (line: string) => void
  readonly #random: () => number
  readonly #ledger = new Ledger()
  readonly #stop = new AbortController()
  readonly #visits: Visits
  readonly #lives: Life[][]
  readonly #looks: Look[] = []
  readonly #wrong: string[] = []
  #crowd: Crowd | null = null
  #restarts = 0
  #cuts = 0

  constructor(place: Place, size: SoakSize, progress: (line: string) => void) {
    this.#place = place
    this.#size = size
    this.#progress = progress
    this.#random = seededRandom(size.seed)
    this.#visits = new Visits(place.balancer.url, this.#random)
    this.#lives = place.nodes.map(() => [[]])
  }

  async run(): Promise<SoakReport> {
    const { balancer, nodes } = this.#place
    const before = await Promise.all(nodes.map(({ server }) => vitalsOf(server)))
    const crowd = await Crowd.gather(
      { url: balancer.url, ledger: this.#ledger, random: this.#random },
      TABLES,
    )
    this.#crowd = crowd
    await this.#visits.invite(VISITORS)
    this.#progress(heading(nodes.length))
    const played = crowd.play()
    played.catch(() => {})
    const visited = this.#visits.untilStopped(this.#stop.signal)
    await Promise.race([this.#lookAgainAndAgain(), played])
    this.close()
    await visited
    await this.#everyoneGone(before)
    return this.#report()
  }

  close(): void {
    this.#stop.abort()
    this.#crowd?.close()
  }

  async #lookAgainAndAgain(): Promise<void> {
    const { minutes, samples, restarts } = this.#size
    const begun = performance.now()
    let nextRestart = 0.5 / restarts
    for (let n = 1; n <= samples; n++) {
      const due = begun + (minutes * 60_000 * n) / samples
      await new Promise((resolve) => setTimeout(resolve, due - performance.now()))
      await this.#somethingAccepted()
      await this.#look((performance.now() - begun) / 60_000)
      this.#cuts += this.#place.balancer.cut(() => this.#random() < CUT_SHARE)
      if (n / samples < nextRestart) continue
      nextRestart += 1 / restarts
      await this.#restart(n / samples)
    }
  }

  async #somethingAccepted(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    let stop = (): void => {}
    const accepted = new Promise<void>((resolve, reject) => {
      stop = this.#ledger.onAcknowledged(() => resolve())
      timer = setTimeout(() => reject(new Error('Nothing is accepted any more.')), STUCK_MS)
    })
    await accepted.finally(() => {
      stop()
      clearTimeout(timer)
    })
  }

  async #look(minute: number): Promise<void> {
    const keys = await this.#place.livingKeys()
    const all = await Promise.all(this.#place.nodes.map(({ server }) => vitalsOf(server)))
    const visits = this.#visits.made
    const earlier = this.#looks.findLast((look) => look.minute <= minute - KEPT_MINUTES)
    this.#looks.push({ minute, visits })
    const looked = { minute, keys, recentVisits: visits - (earlier?.visits ?? 0) }
    for (const [n, vitals] of all.entries()) this.#lives[n]?.at(-1)?.push(sampleOf(vitals, looked))
    this.#progress(formatLook(all, { minute, keys, visits }))
  }

  /** One node, by SIGTERM and SIGKILL in turn. */
  async #restart(passed: number): Promise<void> {
    const { nodes } = this.#place
    const isRestless = passed <= this.#size.restless
    const n = isRestless ? this.#restarts % nodes.length : nodes.length - 1
    const server = nodes[n]?.server
    if (server === undefined || (n === 0 && !isRestless)) return
    const signal = this.#restarts % 2 === 0 ? 'SIGTERM' : 'SIGKILL'
    await server.kill(signal)
    server.spawn()
    await server.ready()
    this.#restarts++
    this.#lives[n]?.push([])
    this.#progress(`node ${n} was restarted by ${signal}`)
  }

  async #everyoneGone(before: readonly Vitals[]): Promise<void> {
    for (const [n, { server }] of this.#place.nodes.entries()) {
      const descriptors = (before[n]?.descriptors ?? 0) + SPARE_DESCRIPTORS
      await quietVitals(server, descriptors).catch((error: unknown) =>
        this.#wrong.push(`node ${n} is not at rest when all have gone: ${String(error)}`),
      )
    }
  }

  #report(): SoakReport {
    const trends = this.#lives.flatMap((lives, node) =>
      lives.map((life) => ({ node, ...trendOf(life) })),
    )
    const judged = trends.map((trend) => trend.judged).toSorted((a, b) => b.length - a.length)
    return {
      samples: this.#size.samples,
      restarts: this.#restarts,
      cuts: this.#cuts,
      visits: this.#visits.made,
      visitsCutShort: this.#visits.cutShort,
      acknowledged: this.#ledger.acknowledged.length,
      judged: judged[0] ?? [],
      wrong: [
        ...this.#wrong,
        ...trends.flatMap(({ node, rising }) => rising.map((line) => `node ${node}: ${line}`)),
        ...this.#ledger.faults,
        ...this.#place.complaints(),
      ],
    }
  }
}

const sampleOf = (
  { rooms, heapBytes, ownBytes, descriptors, connections, loopDelayMs }: Vitals,
  looked: Pick<Sample, 'minute' | 'keys' | 'recentVisits'>,
): Sample => ({
  ...looked,
  rooms,
  heapBytes,
  ownBytes,
  // Those of its visitors come and go with them.
  descriptors: descriptors - connections,
  loopDelayMs,
})

const OF_NODE = ['rooms', 'sockets', 'heap MiB', 'RSS MiB', 'own MiB', 'fds', 'p99 ms']

const cells = (values: readonly (string | number)[]): string =>
  values.map((value) => String(value).padStart(9)).join('')

const heading = (nodes: number): string =>
  cells(['minute', 'visits', 'keys', ...Array.from({ length: nodes }, () => OF_NODE).flat()])

function formatLook(
  all: readonly Vitals[],
  { minute, keys, visits }: Look & Pick<Sample, 'keys'>,
): string {
  const mib = (bytes: number): string => (bytes / 2 ** 20).toFixed(1)
  const ofNode = (vitals: Vitals) => [
    vitals.rooms,
    vitals.connections,
    mib(vitals.heapBytes),
    mib(vitals.residentBytes),
    mib(vitals.ownBytes),
    vitals.descriptors,
    vitals.loopDelayMs.toFixed(1),
  ]
  return cells([minute.toFixed(1), visits, keys, ...all.flatMap(ofNode)])
}

export const formatSoak = ({ judged, wrong, visitsCutShort, ...counts }: SoakReport): string =>
  [
    ...Object.entries(counts).map(([name, count]) => countLine(name, count)),
    'visits cut short',
    ...countLines(visitsCutShort),
    `judged: ${judged.join(', ') || 'nothing: too short for a trend'}`,
    ...wrong.map((line) => `! ${line}`),
  ].join('\n')
