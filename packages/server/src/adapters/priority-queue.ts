interface Item<Key> {
  readonly key: Key
  readonly priority: number
}

/**
 * Keys by priority, the lowest first; equal priorities in the order of the keys.
 * A binary heap that knows where each key stands, so that a key can be moved and taken out.
 */
export class PriorityQueue<Key extends string | number> {
  readonly #heap: Item<Key>[] = []
  readonly #positions = new Map<Key, number>()

  get size(): number {
    return this.#heap.length
  }

  /** Adds the key, or gives it another priority. */
  set(key: Key, priority: number): void {
    this.#place(this.#positions.get(key) ?? this.#heap.length, { key, priority })
  }

  delete(key: Key): void {
    const position = this.#positions.get(key)
    if (position === undefined) return
    this.#positions.delete(key)
    const last = this.#heap.pop()
    if (last !== undefined && position < this.#heap.length) this.#place(position, last)
  }

  /** The key with the lowest priority, if any. */
  first(): Item<Key> | undefined {
    return this.#heap[0]
  }

  /** Up to `limit` keys whose priority is at most `bound`, the lowest first; costs nothing for the others. */
  upTo(bound: number, limit: number): readonly Item<Key>[] {
    const found: Item<Key>[] = []
    const edge: { readonly at: number; readonly item: Item<Key> }[] = []
    const reach = (at: number): void => {
      const item = this.#heap[at]
      if (item === undefined || item.priority > bound) return
      const before = edge.findLastIndex((other) => isBefore(item, other.item))
      edge.splice(before + 1, 0, { at, item })
    }
    reach(0)
    while (found.length < limit) {
      const next = edge.pop()
      if (next === undefined) break
      found.push(next.item)
      reach(2 * next.at + 1)
      reach(2 * next.at + 2)
    }
    return found
  }

  /** Puts an item where another stood (or at the end), then moves it up or down to where it belongs. */
  #place(start: number, item: Item<Key>): void {
    let at = start
    for (;;) {
      const parent = this.#heap[(at - 1) >> 1]
      if (at === 0 || parent === undefined || !isBefore(item, parent)) break
      this.#write(at, parent)
      at = (at - 1) >> 1
    }
    for (;;) {
      const child = this.#firstChild(at)
      const below = this.#heap[child]
      if (below === undefined || !isBefore(below, item)) break
      this.#write(at, below)
      at = child
    }
    this.#write(at, item)
  }

  #firstChild(parent: number): number {
    const left = this.#heap[2 * parent + 1]
    const right = this.#heap[2 * parent + 2]
    return left && right && isBefore(right, left) ? 2 * parent + 2 : 2 * parent + 1
  }

  #write(at: number, item: Item<Key>): void {
    this.#heap[at] = item
    this.#positions.set(item.key, at)
  }
}

function isBefore<Key extends string | number>(a: Item<Key>, b: Item<Key>): boolean {
  return a.priority < b.priority || (a.priority === b.priority && a.key < b.key)
}
