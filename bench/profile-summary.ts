import type { HeapProfiler, Profiler, Runtime } from 'node:inspector'

/** Nothing, or the profiling itself: of no part. */
const NOT_AT_WORK = /^\((idle|root)\)|node:inspector/

/**
 * The parts of the server, by where their code is; the first that fits counts.
 */
const PARTS: readonly (readonly [string, RegExp])[] = [
  ['garbage collection', /^\(garbage collector\)/],
  ['kernel and native code', /^\(program\)/],
  [
    'sockets',
    /^write(v|Buffer|Utf8String|Latin1String)? $|node:(net|internal\/(stream|streams|js_stream))|node:(_http|internal\/http)|node_modules\/ws\/|server\/dist\/socket\/(frame|connection|gateway)/,
  ],
  [
    'event loop and promises',
    /node:(internal\/(process|timers|async|util|event)|events|timers|async_hooks|buffer|internal\/buffer)/,
  ],
  ['schemas', /node_modules\/zod\/|protocol\/dist\/(read-as|client-message|primitives|ids)/],
  ['JSON of frames', /protocol\/dist\/codec/],
  ['views', /engine\/dist\/view\/|server\/dist\/room\/(view|publisher|audience|history)/],
  ['rules', /engine\/dist\//],
  [
    'store',
    /server\/dist\/adapters\/|node_modules\/(lmdb|msgpackr|ordered-binary|weak-lru-cache|ioredis|redis-parser)/,
  ],
  ['metrics', /node_modules\/prom-client|server\/dist\/metrics/],
  ['rooms', /server\/dist\/room\//],
  ['sessions and routing', /server\/dist\/(socket|rate-limit|http)/],
]

const OTHER = 'other'

/** So much of something, of one function or of one part. */
export interface Share {
  readonly name: string
  readonly amount: number
}

export interface Summary {
  readonly total: number
  readonly parts: readonly Share[]
  /** The greatest first. */
  readonly functions: readonly Share[]
}

/** `moveReceived room/room-actor.js:12`; of what is built in the name alone. */
function placeOf({ functionName, url, lineNumber }: Runtime.CallFrame): string {
  const name = functionName === '' ? '(anonymous)' : functionName
  if (url === '') return name
  const short = url.replace(/^.*\/(packages|node_modules)\//, (_, root) =>
    root === 'packages' ? '' : 'node_modules/',
  )
  return `${name} ${short}:${lineNumber + 1}`
}

function partOf(frame: Runtime.CallFrame): string {
  const text = `${frame.functionName} ${frame.url}`
  return PARTS.find(([, pattern]) => pattern.test(text))?.[0] ?? OTHER
}

/** Where time or memory went: a function, and the part that it counts to. */
interface Spot {
  readonly place: string
  readonly part: string
}

/** What is built in counts to whoever called it: `caller` is where that is. */
function spotOf(frame: Runtime.CallFrame, caller: Spot | null): Spot {
  const isPlain = frame.url !== '' || frame.functionName.startsWith('(')
  if (isPlain || caller === null) return { place: placeOf(frame), part: partOf(frame) }
  const part = partOf(frame)
  const isOwn = part !== OTHER
  return {
    place: isOwn ? placeOf(frame) : `${placeOf(frame)} built in, for ${caller.place}`,
    part: isOwn ? part : caller.part,
  }
}

/** Microseconds of work, without those in which nothing was done. */
export function summariseCpu({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Summary {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const spots = new Map<number, Spot>()
  const visit = (id: number, caller: Spot | null): void => {
    const node = byId.get(id)
    if (node === undefined) return
    const spot = spotOf(node.callFrame, caller)
    spots.set(id, spot)
    for (const child of node.children ?? []) visit(child, spot)
  }
  const [root] = nodes
  if (root !== undefined) visit(root.id, null)
  const spent = samples.flatMap((id, i) => {
    const spot = spots.get(id)
    // The time up to the next look is that of what this one saw.
    return spot === undefined || NOT_AT_WORK.test(spot.place)
      ? []
      : [{ spot, amount: timeDeltas[i + 1] ?? 0 }]
  })
  return summarise(spent)
}

/** Bytes that were allocated, freed since or not. */
export function summariseHeap({ head }: HeapProfiler.SamplingHeapProfile): Summary {
  const allocated: Amount[] = []
  const visit = (node: HeapProfiler.SamplingHeapProfileNode, caller: Spot | null): void => {
    const spot = spotOf(node.callFrame, caller)
    allocated.push({ spot, amount: node.selfSize })
    for (const child of node.children) visit(child, spot)
  }
  visit(head, null)
  return summarise(allocated)
}

interface Amount {
  readonly spot: Spot
  readonly amount: number
}

function summarise(amounts: readonly Amount[]): Summary {
  const parts = new Map<string, number>()
  const functions = new Map<string, number>()
  let total = 0
  for (const { spot, amount } of amounts) {
    parts.set(spot.part, (parts.get(spot.part) ?? 0) + amount)
    functions.set(spot.place, (functions.get(spot.place) ?? 0) + amount)
    total += amount
  }
  return { total, parts: greatestFirst(parts), functions: greatestFirst(functions) }
}

const greatestFirst = (amounts: ReadonlyMap<string, number>): readonly Share[] =>
  [...amounts]
    .map(([name, amount]) => ({ name, amount }))
    .filter(({ amount }) => amount > 0)
    .sort((a, b) => b.amount - a.amount)
