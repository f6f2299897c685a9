/** Where faults are written. Lines hold ids, codes and versions only (F-H10). */
export interface FaultLog {
  /** What somebody should know, and is no fault of ours. */
  warn(details: Readonly<Record<string, unknown>>, message: string): void
  error(details: Readonly<Record<string, unknown>>, message: string): void
}

/** Where a fault happened, without what it says: a message may name what a room holds. */
export function traceOf(error: unknown): {
  readonly fault: string
  readonly at: readonly string[]
} {
  if (!(error instanceof Error)) return { fault: typeof error, at: [] }
  const lines = error.stack?.split('\n') ?? []
  return { fault: error.name, at: lines.filter((line) => /^ +at /.test(line)) }
}
