import { readFile } from 'node:fs/promises'
import { doubtful, type Finding, good } from './finding.ts'

/** Descriptors that a server needs besides one for each WebSocket: HTTP connections, the store, the log. */
const SPARE_FILES = 1300

/** Whether this process could hold as many connections as are allowed; only Linux tells. */
export async function examineFiles(connections: number): Promise<readonly Finding[]> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const [, most] = /^Max open files +(\d+) /m.exec(limits) ?? []
  if (most === undefined) return []
  const about = 'open files'
  const needed = connections + SPARE_FILES
  if (Number(most) >= needed)
    return [good(about, `${most} are allowed, enough for ${connections} connections`)]
  return [
    doubtful(
      about,
      `${most} are allowed, and ${connections} connections need ${needed}`,
      `raise the limit (ulimit -n, LimitNOFILE, or ulimits in Compose), or set JUNQI_MAX_CONNECTIONS to ${Math.max(1, Number(most) - SPARE_FILES)}`,
    ),
  ]
}
