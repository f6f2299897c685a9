interface Waiter {
  readonly time: number
  readonly resolve: () => void
}

const waiters = new Set<Waiter>()

/** Resolves once `performance.now()` is `time`. It looks at every turn of the loop: a timer may be a millisecond late. */
export function until(time: number): Promise<void> {
  return new Promise((resolve) => {
    if (waiters.size === 0) setImmediate(look)
    waiters.add({ time, resolve })
  })
}

function look(): void {
  const now = performance.now()
  for (const waiter of waiters) {
    if (waiter.time > now) continue
    waiters.delete(waiter)
    waiter.resolve()
  }
  if (waiters.size > 0) setImmediate(look)
}

/** Runs jobs, so many at a time. */
export async function inParallel<Item, Result>(
  most: number,
  items: readonly Item[],
  job: (item: Item, i: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const entries = items.entries()
  const work = async (): Promise<void> => {
    for (const [i, item] of entries) results[i] = await job(item, i)
  }
  await Promise.all(Array.from({ length: most }, work))
  return results
}
