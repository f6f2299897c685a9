/** The items from the nearest to the farthest from a value; `sorted` is by the value of each. */
export function* nearest<Item>(
  sorted: readonly Item[],
  value: number,
  measure: (item: Item) => number,
): Generator<Item> {
  let above = firstFrom(sorted, value, measure)
  let below = above - 1
  for (;;) {
    const [low, high] = [sorted[below], sorted[above]]
    if (low === undefined && high === undefined) return
    const isLow =
      high === undefined || (low !== undefined && value - measure(low) < measure(high) - value)
    if (isLow && low !== undefined) {
      yield low
      below -= 1
    } else if (high !== undefined) {
      yield high
      above += 1
    }
  }
}

/** The index of the first item that is not below a value. */
function firstFrom<Item>(
  sorted: readonly Item[],
  value: number,
  measure: (item: Item) => number,
): number {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const item = sorted[middle]
    if (item !== undefined && measure(item) < value) from = middle + 1
    else to = middle
  }
  return from
}
