/** What was found out about one thing that a server needs. */
export interface Finding {
  /** `port 8080`, `data folder`. */
  readonly about: string
  /** `doubtful`: it works, but may not be what is wanted. */
  readonly health: 'good' | 'doubtful' | 'bad'
  /** What is so: a sentence without its full stop. */
  readonly says: string
  /** What to do about it: an imperative; null: nothing. */
  readonly mend: string | null
}

export const good = (about: string, says: string): Finding => ({
  about,
  health: 'good',
  says,
  mend: null,
})

export const doubtful = (about: string, says: string, mend: string): Finding => ({
  about,
  health: 'doubtful',
  says,
  mend,
})

export const bad = (about: string, says: string, mend: string): Finding => ({
  about,
  health: 'bad',
  says,
  mend,
})

/** How long something took each time, in milliseconds, in words: the half that was faster, and the slowest. */
export function describeTimes(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b)
  const [median = 0, most = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
  return `${formatMs(median)} ms as a rule, ${formatMs(most)} ms at most of ${times.length}`
}

const formatMs = (ms: number): string => ms.toFixed(ms < 10 ? 2 : 0)
