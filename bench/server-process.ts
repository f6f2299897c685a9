import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The core of the server under test; the load generator runs on the other. */
export const SERVER_CORE = 0
export const LOAD_CORE = 1

const TICKS_PER_SECOND = 100

/** A server in a process of its own, on a core of its own; or several, the nodes of one. */
export interface ServerProcess {
  /** Of each node. */
  readonly ports: readonly number[]
  /** CPU of all its threads so far, user and system, in microseconds. */
  cpu(): number
  /** Resident memory in bytes. */
  rss(): number
  stop(): Promise<void>
}

/** A free port of the loopback interface. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() =>
        typeof address === 'object' && address !== null
          ? resolve(address.port)
          : reject(new Error('no port')),
      )
    })
  })
}

export async function startBare(): Promise<ServerProcess> {
  const port = await freePort()
  return startProcess(port, [file('./bare-ws.js'), String(port)], {}, () => {})
}

/** Junqi with LMDB in a fresh folder and limits that do not bind. */
export async function startJunqi(): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'junqi-bench-'))
  return startNode({ JUNQI_DATA_DIR: folder }, () => removeFolder(folder))
}

/** So many nodes, all on one core, over a Redis of their own beside the load; what Redis itself costs is not counted. */
export async function startJunqiOnRedis(nodes: number): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'junqi-bench-'))
  const port = await freePort()
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', '']
  const redis = spawn(
    'taskset',
    ['-c', String(LOAD_CORE), 'redis-server', '--port', String(port), '--dir', folder, ...durable],
    { stdio: 'ignore' },
  )
  await takesConnections(redis, port)
  const env = { JUNQI_STORE: 'redis', JUNQI_REDIS_URL: `redis://127.0.0.1:${port}` }
  const started: ServerProcess[] = []
  for (let node = 0; node < nodes; node++) started.push(await startNode(env, () => {}))
  return {
    ports: started.flatMap(({ ports }) => ports),
    cpu: () => sum(started.map((node) => node.cpu())),
    rss: () => sum(started.map((node) => node.rss())),
    stop: async () => {
      await Promise.all(started.map((node) => node.stop()))
      redis.kill('SIGKILL')
      removeFolder(folder)
    },
  }
}

const sum = (values: readonly number[]): number => values.reduce((one, other) => one + other, 0)

const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true })

async function startNode(
  store: Readonly<Record<string, string>>,
  clean: () => void,
): Promise<ServerProcess> {
  const port = await freePort()
  const env = {
    NODE_ENV: 'production',
    JUNQI_PORT: String(port),
    JUNQI_ADMIN_PORT: String(await freePort()),
    JUNQI_LOG_LEVEL: 'warn',
    JUNQI_MAX_CONNECTIONS_PER_ADDRESS: '100000',
    JUNQI_MAX_CONNECTIONS: '100000',
    JUNQI_RATE_REQUESTS: '1000000/s burst 1000000',
    JUNQI_RATE_GUESTS: '1000000/s burst 1000000',
    JUNQI_RATE_ROOMS: '1000000/s burst 1000000',
    JUNQI_RATE_MESSAGES: '1000000/s burst 1000000',
    JUNQI_RATE_PLAYER: '1000000/s burst 1000000',
    ...store,
  }
  const main = file('../../packages/server/dist/main.js')
  return startProcess(port, [main], env, clean)
}

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

async function startProcess(
  port: number,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  clean: () => void,
): Promise<ServerProcess> {
  const child = spawn(
    'taskset',
    ['-c', String(SERVER_CORE), process.execPath, '--expose-gc', ...args],
    {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  await answers(child, port)
  const stat = `/proc/${child.pid}/stat`
  return {
    ports: [port],
    cpu: () => {
      const fields = readFileSync(stat, 'utf8').split(') ')[1]?.split(' ') ?? []
      return ((Number(fields[11]) + Number(fields[12])) * 1e6) / TICKS_PER_SECOND
    },
    rss: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1024,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => {
          clean()
          resolve()
        })
        child.kill('SIGTERM')
      }),
  }
}

/** Waits until something listens at the port. */
async function takesConnections(child: ChildProcess, port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (child.exitCode !== null) throw new Error('redis-server stopped at its start')
    if (await isOpen(port)) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('Redis does not answer')
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}

/** Waits until the port answers HTTP. */
async function answers(child: ChildProcess, port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (child.exitCode !== null) throw new Error('the server stopped at its start')
    try {
      await fetch(`http://127.0.0.1:${port}/healthz`)
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  throw new Error('the server does not answer')
}
