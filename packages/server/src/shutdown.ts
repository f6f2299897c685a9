import type { Logger } from './logger.ts'
import { traceOf } from './room/fault-log.ts'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const
/** A stop that takes longer is cut off: the log is safe at any moment. Less than the ten seconds after which Docker kills. */
const GRACE_MS = 8_000

/**
 * The only place that ends the process. A signal stops the server in order and exits with 0, a second one at once with 1;
 * a fault that nobody caught is logged and exits with 1, since what follows it could not be trusted. The logger is one for
 * last words: what another is still writing is lost by an exit.
 */
export function exitInOrder(logger: Logger, stop: () => Promise<void>): void {
  let isStopping = false
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (isStopping) process.exit(1)
      isStopping = true
      logger.info({ signal }, 'stopping')
      setTimeout(() => die('the stop took too long'), GRACE_MS).unref()
      stop().then(() => {
        logger.info('stopped')
        process.exit(0)
      }, die)
    })
  }
  process.on('unhandledRejection', die)
  process.on('uncaughtException', die)

  function die(fault: unknown): void {
    logger.fatal(traceOf(fault), 'fault')
    process.exit(1)
  }
}

/** The start cannot go on: one sentence for a person, no stack. */
export function refuseToStart(sentence: string): never {
  process.stderr.write(`junqi: ${sentence}\n`)
  process.exit(1)
}
