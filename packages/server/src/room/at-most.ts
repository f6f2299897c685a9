/** Does a job for each item, so many at once. Resolves when all are done; rejects with the first that does. */
export async function atMost<Item>(
  count: number,
  items: Iterable<Item>,
  job: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]()
  const worker = async (): Promise<void> => {
    for (let next = rest.next(); !next.done; next = rest.next()) await job(next.value)
  }
  await Promise.all(Array.from({ length: count }, worker))
}
