import { LogDamagedError, StoreUnavailableError } from '../../ports.ts'

/**
 * What a failed call means. Redis's own word for a key of the wrong kind is a log that cannot be read, a script that
 * stumbles is a bug; whatever else went wrong (closed, timed out, READONLY, LOADING, OOM, CLUSTERDOWN ...) may pass, and
 * whether the write happened is not known.
 */
export function failureOf(cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause
  if (cause.message.startsWith('WRONGTYPE')) {
    return new LogDamagedError('Redis holds something else under this key', { cause })
  }
  if (/^ERR user_script:/.test(cause.message)) return cause
  return new StoreUnavailableError('Redis did not do it', { cause })
}

/** Whether no answer came in time: perhaps none will come on this connection. */
export function isTimeout(failure: unknown): boolean {
  const cause = failure instanceof StoreUnavailableError ? failure.cause : null
  return cause instanceof Error && cause.message === 'Command timed out'
}
