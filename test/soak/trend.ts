/** What a soak looks at of one node, or of its store. */
export const MEASURES = [
  'rooms',
  'heapBytes',
  'ownBytes',
  'descriptors',
  'loopDelayMs',
  'keys',
] as const
export type Measure = (typeof MEASURES)[number]

export type Sample = Readonly<Record<Measure, number>> & {
  /** Minutes since the soak began. */
  readonly minute: number
  /** How many visits were made in the last KEPT_MINUTES. */
  readonly recentVisits: number
}

/** How far a measure may be higher in the second half than in the first: a share of it, and a bit that is always there. */
interface Slack {
  readonly share: number
  readonly flat: number
}

const MIB = 2 ** 20
const SLACK: Readonly<Record<Measure, Slack>> = {
  rooms: { share: 0.25, flat: 10 },
  heapBytes: { share: 0.05, flat: 4 * MIB },
  ownBytes: { share: 0.1, flat: 32 * MIB },
  descriptors: { share: 0, flat: 8 },
  // A machine that has something else to do makes everything wait.
  loopDelayMs: { share: 1, flat: 50 },
  keys: { share: 0.25, flat: 0.5 },
}

/** Rooms that were closed, and their keys, stay ten minutes: there are more of them from minute to minute until then. */
export const KEPT_MINUTES = 11
const FILLS: ReadonlySet<Measure> = new Set(['rooms', 'keys'])
/** With fewer samples nothing is said. */
const ENOUGH = 6

/**
 * What rises over the samples of one life of a node: the median of the second half is above that of the first. The first
 * third does not count: caches fill, code is compiled. `judged`: of what there were samples enough.
 */
export function trendOf(samples: readonly Sample[]): {
  readonly judged: readonly Measure[]
  readonly rising: readonly string[]
} {
  const judged: Measure[] = []
  const rising: string[] = []
  for (const measure of MEASURES) {
    const settled = samples
      .slice(Math.ceil(samples.length / 3))
      .filter(({ minute }) => !FILLS.has(measure) || minute >= KEPT_MINUTES)
      .map((sample) => (measure === 'keys' ? keysPerVisit(sample) : sample[measure]))
    if (settled.length < ENOUGH) continue
    judged.push(measure)
    const half = Math.floor(settled.length / 2)
    const [before, after] = [median(settled.slice(0, half)), median(settled.slice(half))]
    const { share, flat } = SLACK[measure]
    if (after > before * (1 + share) + flat) rising.push(`${measure} from ${before} to ${after}`)
  }
  return { judged, rising }
}

/** As many rooms are kept as visits were made lately, and a machine that has less else to do lets more be made. */
const keysPerVisit = ({ recentVisits, keys }: Sample): number => keys / Math.max(1, recentVisits)

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
