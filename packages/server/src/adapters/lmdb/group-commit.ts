import { LogDamagedError, StoreUnavailableError } from '../../ports.ts'

export interface GroupCommitParts<Batch> {
  /** A new, empty batch. */
  readonly begin: () => Batch
  /** Makes the batch durable, whole or not at all; rejects when it is not. */
  readonly commit: (batch: Batch) => Promise<void>
  /** Called after a commit, before its jobs are answered. */
  readonly committed: (batch: Batch) => void
  /** Called when a commit fails, or does not come to an end. */
  readonly failed: () => void
}

interface Waiting<Batch> {
  /** Runs the job; the function returned answers it. */
  readonly run: (batch: Batch) => () => void
  readonly reject: (error: StoreUnavailableError | LogDamagedError) => void
}

/** A commit that takes longer is given up: those who wait are told, whatever comes of it. */
const PATIENCE = 10_000

/**
 * Runs jobs in their order, many to a commit and one commit at a time: each job sees what all before
 * it did, and one sync to disk serves all rooms that wait for it.
 * A job reads before it writes; one that throws is refused alone: a damaged log stays what it is.
 */
export class GroupCommit<Batch> {
  readonly #parts: GroupCommitParts<Batch>
  #waiting: Waiting<Batch>[] = []
  #state: 'idle' | 'scheduled' | 'committing' | 'stalled' | 'closed' = 'idle'
  #drained: () => void = () => {}

  constructor(parts: GroupCommitParts<Batch>) {
    this.#parts = parts
  }

  /** What the job answers, once everything that it and those before it wrote is durable. */
  submit<Answer>(job: (batch: Batch) => Answer): Promise<Answer> {
    if (this.#state === 'stalled' || this.#state === 'closed') {
      return Promise.reject(new StoreUnavailableError(`The store is ${this.#state}`))
    }
    return new Promise((resolve, reject) => {
      const run = (batch: Batch): (() => void) => {
        const answer = job(batch)
        return () => resolve(answer)
      }
      this.#waiting.push({ run, reject })
      this.#schedule()
    })
  }

  /** Resolves when all jobs are answered, to whether the last commit came to an end; then takes no more. */
  async close(): Promise<boolean> {
    if (this.#state === 'scheduled' || this.#state === 'committing') {
      await new Promise<void>((resolve) => {
        this.#drained = resolve
      })
    }
    const ended = this.#state === 'idle'
    this.#state = 'closed'
    return ended
  }

  #schedule(): void {
    if (this.#state !== 'idle') return
    this.#state = 'scheduled'
    setImmediate(() => this.#run())
  }

  async #run(): Promise<void> {
    const batch = this.#parts.begin()
    const jobs = this.#waiting
    this.#waiting = []
    const answers = jobs.map((job) => attempt(job, batch))
    this.#state = 'committing'
    const patience = setTimeout(() => this.#stall(jobs), PATIENCE)
    try {
      await this.#parts.commit(batch)
      this.#parts.committed(batch)
      for (const answer of answers) answer()
    } catch (error) {
      this.#parts.failed()
      refuse(jobs, error)
    }
    clearTimeout(patience)
    this.#next()
  }

  #next(): void {
    if (this.#state === 'closed') return
    this.#state = 'idle'
    if (this.#waiting.length > 0) this.#schedule()
    else this.#drained()
  }

  #stall(jobs: readonly Waiting<Batch>[]): void {
    this.#state = 'stalled'
    this.#parts.failed()
    refuse([...jobs, ...this.#waiting], 'the disk does not answer')
    this.#waiting = []
    this.#drained()
  }
}

function attempt<Batch>(job: Waiting<Batch>, batch: Batch): () => void {
  try {
    return job.run(batch)
  } catch (error) {
    if (error instanceof LogDamagedError) job.reject(error)
    else refuse([job], error)
    return () => {}
  }
}

function refuse<Batch>(jobs: readonly Waiting<Batch>[], cause: unknown): void {
  for (const { reject } of jobs) reject(new StoreUnavailableError('The store failed', { cause }))
}
