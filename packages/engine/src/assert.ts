/** A bug of ours, never a player's mistake. It stops the one room that it was found in. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}

/** Throws an InvariantError unless `condition` holds. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message)
}

/** The end of every switch over a union: fails to compile when a case is missing. */
export function assertNever(value: never): never {
  throw new InvariantError(`unexpected value: ${JSON.stringify(value)}`)
}
