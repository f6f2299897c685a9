import type { Writable } from 'node:stream'
import { CommandFailure } from './failure.ts'

/** Writes a line and waits until it is out, so that a reader that has gone stops the command. */
export function writeLine(stream: Writable, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(`${line}\n`, (error) => {
      if (!error) resolve()
      else if (isReaderGone(error)) reject(error)
      else reject(new CommandFailure(`cannot write the output: ${error.message}`, 1))
    })
  })
}

/** Whether a write failed because nobody reads any more (`junqi trace ... | head`). */
export const isReaderGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EPIPE'
