import type { ServiceTime } from '../ports.ts'
import { PriorityQueue } from './priority-queue.ts'

/** The wake-ups that a clock still owes, the earliest first; of equal times the one scheduled first. */
export class WakeUps {
  readonly #queue = new PriorityQueue<number>()
  readonly #calls = new Map<number, () => void>()
  #scheduled = 0

  /** The function returned cancels; after the wake-up it does nothing. */
  add(at: ServiceTime, wake: () => void): () => void {
    const ticket = this.#scheduled++
    this.#queue.set(ticket, at)
    this.#calls.set(ticket, wake)
    return () => this.#drop(ticket)
  }

  /** When the earliest is due; null: none is left. */
  next(): ServiceTime | null {
    return this.#queue.first()?.priority ?? null
  }

  /** Takes out the earliest that is due; null: none is. */
  take(now: ServiceTime): (() => void) | null {
    const first = this.#queue.first()
    if (first === undefined || first.priority > now) return null
    const wake = this.#calls.get(first.key) ?? null
    this.#drop(first.key)
    return wake
  }

  #drop(ticket: number): void {
    this.#queue.delete(ticket)
    this.#calls.delete(ticket)
  }
}
