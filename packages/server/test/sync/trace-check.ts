/** What of a trace is to be checked; marks are names that a write to the file and an answer share. */
export interface TraceRules {
  /** The end of the data file's path. */
  readonly dataFile: string
  /** The marks in what is written to the data file. */
  readonly written: (text: string) => Iterable<string>
  /** The marks in what is sent through a socket. */
  readonly sent: (text: string) => Iterable<string>
}

export interface TraceVerdict {
  /** How many marks were sent. */
  readonly sent: number
  /** Marks that were sent before they were safe. */
  readonly violations: readonly string[]
}

/**
 * Reads what `strace -f -y` wrote of a server that keeps its data in an LMDB file, and finds every
 * mark that was sent before it was on the disk. A mark is safe when
 *   1. a page with it was written,
 *   2. a sync of the file that began after that has come back, and
 *   3. a meta page written after that is on the disk itself: through a descriptor that syncs
 *      (O_DSYNC), or by another sync.
 * The order is that of the lines: strace splits a call in two when another comes between.
 */
export function checkTrace(trace: string, rules: TraceRules): TraceVerdict {
  const checker = new TraceChecker(rules)
  for (const step of stepsOf(trace)) checker.see(step)
  return { sent: checker.sent.size, violations: [...checker.violations] }
}

/** What strace has to write for `checkTrace`; with -D the traced process is the one that is spawned. */
export const STRACE_OPTIONS = [
  '-D',
  '-f',
  '-y',
  '-s',
  '70000',
  '-e',
  'trace=openat,close,write,writev,pwrite64,pwritev,pwritev2,sendto,sendmsg,fsync,fdatasync,msync',
] as const

/** The begin or the end of a system call. */
interface Step {
  readonly phase: 'begin' | 'end'
  readonly thread: string
  readonly name: string
  readonly args: string
  /** What an ended call returned. */
  readonly result: number
}

const LINE =
  /^(\d+) +(?:<\.\.\. \w+ resumed>(.*)|(\w+)\((.*?)(?: <unfinished \.\.\.>|\) += (-?\d+)[^"]*))$/s
const RESULT = /\) += (-?\d+)[^"]*$/

function* stepsOf(trace: string): Generator<Step> {
  const open = new Map<string, Pick<Step, 'name' | 'args'>>()
  for (const line of trace.split('\n')) {
    const [, thread = '', resumed, name = '', args = '', result] = LINE.exec(line) ?? []
    if (resumed !== undefined) {
      const call = open.get(thread)
      const end = RESULT.exec(resumed)?.[1]
      if (call && end) yield { phase: 'end', thread, ...call, result: Number(end) }
    } else if (name !== '') {
      open.set(thread, { name, args })
      yield { phase: 'begin', thread, name, args, result: 0 }
      if (result) yield { phase: 'end', thread, name, args, result: Number(result) }
    }
  }
}

/** How far a mark has come; `meta`: its meta page is written, but waits for a sync. */
type Progress = 'written' | 'synced' | 'meta' | 'safe'

const SYNCS: readonly string[] = ['fsync', 'fdatasync', 'msync']
const META_PAGES_END = 2 * 4096

class TraceChecker {
  readonly sent = new Set<string>()
  readonly violations = new Set<string>()
  readonly #rules: TraceRules
  readonly #progress = new Map<string, Progress>()
  /** By thread, the marks that its present call will bring further. */
  readonly #carried = new Map<string, readonly (readonly [string, Progress])[]>()
  /** Descriptors whose writes come back only when they are on the disk. */
  readonly #syncing = new Set<string>()

  constructor(rules: TraceRules) {
    this.#rules = rules
  }

  see(step: Step): void {
    const [descriptor = '', file = ''] = /^(\d+)<([^>]*)>/.exec(step.args)?.slice(1) ?? []
    if (step.name === 'openat') this.#open(step)
    else if (step.name === 'close') this.#syncing.delete(descriptor)
    else if (/^(socket|TCP)/.test(file)) this.#send(step)
    else if (file.endsWith(this.#rules.dataFile)) this.#store(step, this.#syncing.has(descriptor))
  }

  #open({ phase, args, result }: Step): void {
    if (phase === 'end' && result >= 0 && /O_D?SYNC/.test(args)) this.#syncing.add(String(result))
  }

  #send({ phase, args }: Step): void {
    if (phase === 'end') return
    for (const mark of this.#rules.sent(textOf(args))) {
      this.sent.add(mark)
      if (this.#progress.get(mark) !== 'safe') this.violations.add(mark)
    }
  }

  /** What a call brings further counts from its begin; that it did, from its end. */
  #store(step: Step, syncs: boolean): void {
    if (step.phase === 'begin') {
      this.#carried.set(step.thread, [...this.#carry(step, syncs)])
    } else if (step.result >= 0) {
      for (const [mark, progress] of this.#carried.get(step.thread) ?? []) {
        this.#progress.set(mark, progress)
      }
    }
  }

  *#carry({ name, args }: Step, syncs: boolean): Generator<readonly [string, Progress]> {
    if (SYNCS.includes(name)) {
      yield* this.#raise('written', 'synced')
      yield* this.#raise('meta', 'safe')
    } else if (isMetaPage(name, args)) {
      yield* this.#raise('synced', syncs ? 'safe' : 'meta')
    } else {
      for (const mark of this.#rules.written(textOf(args))) {
        if (!this.#progress.has(mark)) yield [mark, syncs ? 'synced' : 'written']
      }
    }
  }

  *#raise(from: Progress, to: Progress): Generator<readonly [string, Progress]> {
    for (const [mark, progress] of this.#progress) if (progress === from) yield [mark, to]
  }
}

function isMetaPage(name: string, args: string): boolean {
  const offset = /, (\d+)$/.exec(args)?.[1]
  return name === 'pwrite64' && offset !== undefined && Number(offset) < META_PAGES_END
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', v: '\v', f: '\f' }

/** All strings among the arguments, one after another. */
function textOf(args: string): string {
  const strings = [...args.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, inner = '']) => inner)
  return strings
    .join('')
    .replaceAll(/\\(?:([0-7]{1,3})|(.))/g, (_, octal?: string, other = '') =>
      octal ? String.fromCharCode(Number.parseInt(octal, 8)) : (ESCAPES[other] ?? other),
    )
}
