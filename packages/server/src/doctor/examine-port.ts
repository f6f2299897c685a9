import { once } from 'node:events'
import { createServer } from 'node:net'
import { callable } from '../admin-address.ts'
import { listenProblem } from '../listen-problem.ts'
import { bad, doubtful, type Finding, good } from './finding.ts'

export interface Place {
  /** `JUNQI` or `JUNQI_ADMIN`: how the names of its settings begin. */
  readonly prefix: string
  readonly host: string
  readonly port: number
}

const ANSWER_MS = 2000

export interface ExaminedPort {
  readonly finding: Finding
  /** A Junqi server listens there. */
  readonly isServed: boolean
}

/** Whether a server could listen there, or does. */
export async function examinePort(place: Place): Promise<ExaminedPort> {
  const { prefix, host, port } = place
  const about = `${prefix}_PORT ${port}`
  if (port === 0) return unserved(good(about, 'any free port will be taken'))
  const error = await tryToListen(place)
  if (error === null) return unserved(good(about, `free at ${host}`))
  const serving = isInUse(error) ? await askServer(place) : null
  if (serving !== null) return { finding: serving, isServed: true }
  const { problem, mend } = listenProblem(error) ?? {
    problem: `cannot be listened at (${error.message})`,
    mend: 'set another address or port',
  }
  const mended = `${mend} (see ${prefix}_HOST, ${prefix}_PORT)`
  return unserved(bad(about, `${host}, port ${port} ${problem}`, mended))
}

const unserved = (finding: Finding): ExaminedPort => ({ finding, isServed: false })

/** The error that the system gives; null: none. */
async function tryToListen({ host, port }: Place): Promise<Error | null> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return null
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  } finally {
    server.close()
  }
}

const isInUse = (error: Error): boolean => 'code' in error && error.code === 'EADDRINUSE'

/** What the one who listens there says of itself; null: it is no Junqi server. */
async function askServer(place: Place): Promise<Finding | null> {
  const { prefix, port } = place
  const about = `${prefix}_PORT ${port}`
  if ((await ask(place, '/metrics'))?.includes('\njunqi_') === true)
    return good(about, 'in use by a Junqi server, for its metrics')
  const state = await ask(place, '/readyz')
  if (state === '{"status":"ready"}') return good(about, 'in use by a Junqi server that is ready')
  if (state?.includes('"code":"unavailable"') !== true) return null
  return doubtful(
    about,
    'in use by a Junqi server that is not ready: it is drained or stopping, or has no store',
    'see its log, and what is said here of its store',
  )
}

async function ask({ host, port }: Place, path: string): Promise<string | null> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS)
    const response = await fetch(`http://${callable(host)}:${port}${path}`, { signal })
    return await response.text()
  } catch {
    return null
  }
}
