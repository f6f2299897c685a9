/** Time, chance and network, so that tests can hold them in their hands. */
export interface Environment {
  /** Milliseconds of a clock that never jumps. */
  readonly now: () => number
  /** In [0, 1). */
  readonly random: () => number
  /** Runs `task` after `delayMs`; the function that comes back cancels it. */
  readonly schedule: (task: () => void, delayMs: number) => () => void
  readonly fetch: typeof globalThis.fetch
  /**
   * Calls `listener` whenever the host says that its network came back or went; the function that comes back ends that.
   * A host that says nothing of it, as Node does, never calls it.
   */
  readonly onNetwork: (listener: (news: NetworkNews) => void) => () => void
}

export type NetworkNews = 'back' | 'gone'

export const systemEnvironment: Environment = {
  now: () => performance.now(),
  random: Math.random,
  schedule: (task, delayMs) => {
    const timer = setTimeout(task, delayMs)
    return () => clearTimeout(timer)
  },
  fetch: (input, init) => globalThis.fetch(input, init),
  onNetwork: (listener) => {
    const back = (): void => listener('back')
    const gone = (): void => listener('gone')
    globalThis.addEventListener?.('online', back)
    globalThis.addEventListener?.('offline', gone)
    return () => {
      globalThis.removeEventListener?.('online', back)
      globalThis.removeEventListener?.('offline', gone)
    }
  },
}
