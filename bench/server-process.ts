import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Question, Questions } from './controlled.ts'
import { sum } from './statistics.ts'

/** The core of the server under test; the load generator runs on the other. */
const SERVER_CORE = 0
const LOAD_CORE = 1
/** Servers may have so many sockets, and the load as well. */
export const MOST_DESCRIPTORS = Number(spawnSync('sh', ['-c', 'ulimit -Hn']).stdout) || 1024

/** Whether server and load have a core each. */
export const IS_PINNED =
  availableParallelism() > 1 && spawnSync('taskset', ['-p', String(process.pid)]).status === 0

/** Keeps the load generator, this process, off the server's core. When it is stopped, what it started goes with it. */
export function pinLoad(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  if (IS_PINNED) spawnSync('taskset', ['-a', '-cp', String(LOAD_CORE), String(process.pid)])
}

/** A server in a process of its own, on a core of its own; or several, the nodes of one. */
export interface ServerProcess {
  /** Of each node. */
  readonly ports: readonly number[]
  /** CPU of all its threads so far, user and system, in microseconds. */
  cpu(): number
  /** The same of the thread that runs the script alone: the rest is the store's, and helpers of the engine. */
  mainThreadCpu(): number
  /** The Redis beside the nodes; null: there is none. */
  readonly redis: RedisBeside | null
  /** Asks the (first) node. */
  ask<Q extends Question>(question: Q): Promise<Questions[Q]>
  stop(): Promise<void>
}

interface RedisBeside {
  /** As above. */
  cpu(): number
  /** What it keeps, in bytes. */
  memory(): number
}

/** A free port of the loopback interface. */
function freePort(): Promise<number> {
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

/** A server of bench/peers: it takes its port as its argument. */
export async function startPeer(script: string): Promise<ServerProcess> {
  const port = await freePort()
  const env = { NODE_ENV: 'production' }
  return startProcess(port, [file(`../peers/${script}`), String(port)], env, () => {})
}

/** Junqi with LMDB in a fresh folder and limits that do not bind. */
export async function startJunqi(): Promise<ServerProcess> {
  const folder = makeFolder()
  return startNode({ JUNQI_DATA_DIR: folder }, () => removeFolder(folder))
}

export const hasRedis = (): boolean => spawnSync('redis-server', ['--version']).status === 0

/** So many nodes, all on one core, over a Redis of their own beside the load; what Redis itself costs is not counted. */
export async function startJunqiOnRedis(nodes: number): Promise<ServerProcess> {
  const folder = makeFolder()
  const port = await freePort()
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', '']
  const args = ['redis-server', '--port', String(port), '--dir', folder, ...durable]
  const redis = spawnOn(LOAD_CORE, args, {}, false)
  const kill = (): boolean => redis.kill('SIGKILL')
  process.once('exit', kill)
  await takesConnections(redis, port)
  const env = { JUNQI_STORE: 'redis', JUNQI_REDIS_URL: `redis://127.0.0.1:${port}` }
  const started: ServerProcess[] = []
  for (let node = 0; node < nodes; node++) started.push(await startNode(env, () => {}))
  const [first] = started
  if (first === undefined) throw new Error('no nodes')
  return {
    ports: started.flatMap(({ ports }) => ports),
    cpu: () => sum(started.map((node) => node.cpu())),
    mainThreadCpu: () => sum(started.map((node) => node.mainThreadCpu())),
    redis: { cpu: () => cpuOf(redis.pid ?? 0), memory: () => redisMemory(port) },
    ask: (question) => first.ask(question),
    stop: async () => {
      await Promise.all(started.map((node) => node.stop()))
      kill()
      process.off('exit', kill)
      removeFolder(folder)
    },
  }
}

/** Where stores are kept while they are measured. */
export const makeFolder = (): string => mkdtempSync(join(tmpdir(), 'junqi-bench-'))

export const removeFolder = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true })

/** As `npm start` and the image have them. */
const NODE_FLAGS = ['--max-semi-space-size=32']

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
  return startProcess(port, [...NODE_FLAGS, main], env, clean)
}

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

function spawnOn(
  core: number,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  isAsked: boolean,
): ChildProcess {
  const [command = '', ...rest] = IS_PINNED ? ['taskset', '-c', String(core), ...args] : args
  return spawn(command, rest, {
    env: { PATH: process.env.PATH, ...env },
    stdio: isAsked ? ['ignore', 'ignore', 'pipe', 'ipc'] : 'ignore',
    serialization: 'advanced',
  })
}

async function startProcess(
  port: number,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  clean: () => void,
): Promise<ServerProcess> {
  const node = [process.execPath, '--expose-gc', '--import', file('./controlled.js'), ...args]
  const child = spawnOn(SERVER_CORE, node, env, true)
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-MOST_SAID)
  })
  const onExit = (code: number | null): void => {
    process.stderr.write(`the server stopped (${code}):\n${said}\n`)
  }
  child.once('exit', onExit)
  await answers(child, port)
  return {
    ports: [port],
    cpu: () => cpuOf(child.pid ?? 0),
    mainThreadCpu: () => threadCpu(`/proc/${child.pid}`),
    redis: null,
    ask: (question) =>
      new Promise((resolve) => {
        child.once('message', resolve)
        child.send(question)
      }),
    stop: () =>
      new Promise((resolve) => {
        child.off('exit', onExit)
        child.once('exit', () => {
          clean()
          resolve()
        })
        child.kill('SIGTERM')
      }),
  }
}

/** Of all threads, in microseconds; the kernel counts nanoseconds here, and hundredths of a second elsewhere. */
function cpuOf(pid: number): number {
  const tasks = `/proc/${pid}/task`
  if (!existsSync(`/proc/${pid}/schedstat`)) return ticksOf(pid)
  return sum(readdirSync(tasks).map((task) => threadCpu(`${tasks}/${task}`)))
}

const threadCpu = (task: string): number =>
  Number(readFileSync(`${task}/schedstat`, 'utf8').split(' ')[0]) / 1000

/** Characters of what a server says before it stops by itself. */
const MOST_SAID = 2000
const TICKS_PER_SECOND = 100

function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return ((Number(fields[11]) + Number(fields[12])) * 1e6) / TICKS_PER_SECOND
}

function redisMemory(port: number): number {
  const info = spawnSync('redis-cli', ['-p', String(port), 'info', 'memory'], { encoding: 'utf8' })
  return Number(/used_memory:(\d+)/.exec(info.stdout)?.[1])
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
  for (let attempt = 0; attempt < 400; attempt++) {
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
