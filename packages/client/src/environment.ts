/** Time, chance and network, so that tests can hold them in their hands. */
export interface Environment {
  /** Milliseconds of a clock that never jumps. */
  readonly now: () => number
  /** In [0, 1). */
  readonly random: () => number
  /** Runs `task` after `delayMs`; the function that comes back cancels it. */
  readonly schedule: (task: () => void, delayMs: number) => () => void
  readonly fetch: typeof globalThis.fetch
}

export const systemEnvironment: Environment = {
  now: () => performance.now(),
  random: Math.random,
  schedule: (task, delayMs) => {
    const timer = setTimeout(task, delayMs)
    return () => clearTimeout(timer)
  },
  fetch: (input, init) => globalThis.fetch(input, init),
}
