/** What the settings of Redis make of an acknowledged write. */
export interface Durability {
  /** Whether no acknowledged write is lost when Redis is killed. What cannot be read is not relied on. */
  readonly isDurable: boolean
  /** What is promised, in one sentence. */
  readonly promise: string
  /** What weakens it, each in one sentence that says what to set; empty: nothing. */
  readonly problems: readonly string[]
}
