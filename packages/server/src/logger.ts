import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from './config.ts'

export type { Logger }

/**
 * The root logger. Lines hold ids, codes and versions: never a token, a formation, a piece, a name or a query string.
 * What is redacted here is only the net under that rule.
 */
export function makeLogger(level: Config['logLevel'], destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    redact: ['token', 'authorization', 'cookie', 'formation', 'draft', 'headers', '*.headers'],
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

/** A logger whose lines are written when it returns. Those of another may be on their way when the process ends, and lost. */
export const makeLastLogger = (level: Config['logLevel']): Logger =>
  makeLogger(level, pino.destination({ dest: process.stdout.fd, sync: true }))
