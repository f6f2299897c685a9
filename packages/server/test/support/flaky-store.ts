import { MemoryStore } from '../../src/adapters/memory/memory-store.ts'
import {
  type AppendRequest,
  type AppendResult,
  LogDamagedError,
  type RoomId,
  StoreUnavailableError,
} from '../../src/ports.ts'

/** `lost`: the write does not happen. `unanswered`: it happens, and the answer is lost. */
export type Outage = 'lost' | 'unanswered'

/** A store in memory that fails, or waits, when a test says so. */
export class FlakyStore extends MemoryStore {
  readonly #outages: Outage[] = []
  #held: Promise<void> | null = null
  #letGo = (): void => {}
  /** While true, every question about logs fails. */
  isDown = false
  /** Rooms whose logs cannot be read any more. */
  readonly damaged = new Set<RoomId>()
  appends = 0

  /** The next appends fail so, one each. */
  failNext(...outages: readonly Outage[]): void {
    this.#outages.push(...outages)
  }

  /** Writes of rooms and drafts wait until `release`. */
  hold(): void {
    this.#held = new Promise((resolve) => {
      this.#letGo = resolve
    })
  }

  release(): void {
    this.#held = null
    this.#letGo()
  }

  override async append(request: AppendRequest): Promise<AppendResult> {
    this.appends += 1
    const outage = this.isDown ? 'lost' : this.#outages.shift()
    if (this.#held !== null) await this.#held
    if (outage === 'lost') throw new StoreUnavailableError('down')
    const appended = await super.append(request)
    if (outage === 'unanswered') throw new StoreUnavailableError('no answer')
    return appended
  }

  override async saveDraft(...draft: Parameters<MemoryStore['saveDraft']>): Promise<void> {
    if (this.#held !== null) await this.#held
    return super.saveDraft(...draft)
  }

  override async read(...asked: Parameters<MemoryStore['read']>) {
    this.#check()
    if (this.damaged.has(asked[0])) throw new LogDamagedError('damaged')
    return super.read(...asked)
  }

  override async version(...asked: Parameters<MemoryStore['version']>) {
    this.#check()
    return super.version(...asked)
  }

  override async accepted(...asked: Parameters<MemoryStore['accepted']>) {
    this.#check()
    return super.accepted(...asked)
  }

  override async due(...asked: Parameters<MemoryStore['due']>) {
    this.#check()
    return super.due(...asked)
  }

  override async nextDeadline() {
    this.#check()
    return super.nextDeadline()
  }

  #check(): void {
    if (this.isDown) throw new StoreUnavailableError('down')
  }
}
