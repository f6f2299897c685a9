import { Readable, Writable } from 'node:stream'
import { main } from '../src/main.ts'

/** What a run of `junqi` wrote, and its exit code. */
export interface CliRun {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

interface Surroundings {
  readonly stdin?: string | Uint8Array
  readonly isTTY?: boolean
}

/** Runs `junqi` in this process, with streams of its own. */
export async function runCli(
  args: readonly string[],
  { stdin = '', isTTY = false }: Surroundings = {},
): Promise<CliRun> {
  const [stdout, stderr] = [new Collector(), new Collector()]
  const streams = {
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout,
    stderr: Object.assign(stderr, { isTTY }),
  }
  const code = await main(args, streams)
  return { code, stdout: stdout.text, stderr: stderr.text }
}

class Collector extends Writable {
  text = ''

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString()
    done()
  }
}
