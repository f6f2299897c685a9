/** Several values for a key; keys without any are not kept. */
export class IndexOf<Key, Value> {
  readonly #values = new Map<Key, Set<Value>>()

  keys(): Iterable<Key> {
    return this.#values.keys()
  }

  has(key: Key): boolean {
    return this.#values.has(key)
  }

  get(key: Key): ReadonlySet<Value> {
    return this.#values.get(key) ?? new Set()
  }

  add(key: Key, value: Value): void {
    const values = this.#values.get(key)
    if (values === undefined) this.#values.set(key, new Set([value]))
    else values.add(value)
  }

  delete(key: Key, value: Value): void {
    const values = this.#values.get(key)
    values?.delete(value)
    if (values?.size === 0) this.#values.delete(key)
  }
}
