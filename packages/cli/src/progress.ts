import type { Streams } from './command.ts'

/** Shows how far long work is: one line on a terminal, nothing elsewhere. */
export interface Progress {
  readonly show: (text: string) => void
  readonly clear: () => void
}

const TO_LINE_START = '\r\x1b[K'

export function progressOn({ stderr }: Pick<Streams, 'stderr'>): Progress {
  const write = (text: string): void => {
    if (stderr.isTTY === true) stderr.write(TO_LINE_START + text)
  }
  return { show: write, clear: () => write('') }
}
