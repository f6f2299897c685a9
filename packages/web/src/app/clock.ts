import { type ReadonlySignal, signal } from '@preact/signals'
import { session } from '../store/session.ts'

const ticks = signal(0)
setInterval(() => {
  ticks.value++
}, 250)

/** The server's time, a few times a second; null: not known. Who reads `.value` is rendered anew with it. */
export const serverTime: Pick<ReadonlySignal<number | null>, 'value'> = {
  get value() {
    ticks.value
    const now = session.value
    return now.state === 'known' ? now.client.serverNow() : null
  },
}

/** Whole seconds until a moment of the server's time, never below 0. */
export const secondsUntil = (until: number, now: number): number =>
  Math.max(0, Math.ceil((until - now) / 1000))
