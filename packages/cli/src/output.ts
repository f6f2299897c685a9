import type { Writable } from 'node:stream'
import { CommandFailure } from './failure.ts'
import { plainText } from './plain-text.ts'

/** Writes a line and waits until it is out, so that a reader that has gone stops the command. */
export const writeLine = (stream: Writable, line: string): Promise<void> =>
  writeBytes(stream, `${plainText(line)}\n`)

/** The same for what is no line. */
export function writeBytes(stream: Writable, chunk: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(chunk, (error) => {
      if (!error) resolve()
      else if (isReaderGone(error)) reject(error)
      else reject(new CommandFailure(`cannot write the output: ${error.message}`, 1))
    })
  })
}

/** Whether a write failed because nobody reads any more (`junqi trace ... | head`). */
export const isReaderGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EPIPE'
