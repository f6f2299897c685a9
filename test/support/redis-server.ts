import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { describe, test } from 'vitest'
import { freePort } from './free-ports.ts'

const BINARY = 'redis-server'

/** Where a Redis for tests runs already; null: none is named. Its data are left as they are, but for the tests' own keys. */
export const TEST_REDIS_URL: string | null = process.env.JUNQI_TEST_REDIS_URL || null

/** Whether tests can start servers of their own. */
export const hasRedisServer = spawnSync(BINARY, ['--version']).status === 0

/**
 * Tests that need a Redis. Where there is none it is said loudly what is left out, and in CI it is a failure.
 * `isThere`: by default, whether there is a `redis-server` to start.
 */
export function describeWithRedis(name: string, body: () => void, isThere = hasRedisServer): void {
  if (isThere) return void describe(name, body)
  const sentence = `There is no Redis, so this is left out: ${name}. Install redis-server 7.0 or later (or, for the contract of one server, name a running one in JUNQI_TEST_REDIS_URL).`
  if (process.env.CI === 'true') {
    return void test(name, () => {
      throw new Error(sentence)
    })
  }
  process.stderr.write(`\n*** ${sentence}\n\n`)
  describe.skip(name, body)
}

/** Settings by name, as in redis.conf. */
export type Settings = Readonly<Record<string, string>>

/** Everything is on the disk before it is answered. */
export const DURABLE: Settings = { appendonly: 'yes', appendfsync: 'always' }

/** A Redis of the test's own, on a spare port, with its data in a folder of its own. */
export class RedisServer {
  readonly port: number
  /** Of its data. */
  readonly folder: string
  readonly #args: readonly string[]
  #child: ChildProcess

  private constructor(port: number, folder: string, args: readonly string[], child: ChildProcess) {
    this.port = port
    this.folder = folder
    this.#args = args
    this.#child = child
  }

  static async start(settings: Settings = {}): Promise<RedisServer> {
    const folder = await mkdtemp(join(tmpdir(), 'junqi-redis-'))
    const fixed = { bind: '127.0.0.1', save: '', dir: folder, ...settings }
    return RedisServer.#launch(folder, argumentsOf(fixed))
  }

  /** A sentinel that watches one master, by itself, and knows soon that it is gone. */
  static async startSentinel(name: string, master: RedisServer): Promise<RedisServer> {
    const folder = await mkdtemp(join(tmpdir(), 'junqi-sentinel-'))
    const file = join(folder, 'sentinel.conf')
    const lines = [
      'bind 127.0.0.1',
      `dir ${folder}`,
      `sentinel monitor ${name} 127.0.0.1 ${master.port} 1`,
      `sentinel down-after-milliseconds ${name} 500`,
      `sentinel failover-timeout ${name} 2000`,
    ]
    await writeFile(file, `${lines.join('\n')}\n`)
    return RedisServer.#launch(folder, [file, '--sentinel'])
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`
  }

  /** Sends one command, on a connection of its own. */
  async command(command: string, ...args: (string | number)[]): Promise<unknown> {
    const client = new Redis(this.port, '127.0.0.1', { protocol: 2, retryStrategy: null })
    client.on('error', () => {})
    try {
      return await client.call(command, ...args)
    } finally {
      client.disconnect()
    }
  }

  /** SIGKILL: what it has not written is lost. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const exited = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await exited
  }

  /** Starts again on the same port and data. */
  async restart(): Promise<void> {
    await this.kill()
    this.#child = await launch([...this.#args, '--port', String(this.port)])
  }

  /** It does not answer, and its connections stay. */
  pause(): void {
    this.#child.kill('SIGSTOP')
  }

  resume(): void {
    this.#child.kill('SIGCONT')
  }

  /** Ends it and takes its data away. */
  async stop(): Promise<void> {
    await this.kill()
    await rm(this.folder, { recursive: true, force: true })
  }

  /** Somebody else may take the spare port first. */
  static async #launch(folder: string, args: readonly string[]): Promise<RedisServer> {
    for (let attempt = 1; ; attempt++) {
      const port = await freePort()
      try {
        const child = await launch([...args, '--port', String(port)])
        return new RedisServer(port, folder, args, child)
      } catch (error) {
        if (attempt < 5) continue
        await rm(folder, { recursive: true, force: true })
        throw error
      }
    }
  }
}

/** A cluster of three masters, at first without replicas. */
export class RedisCluster {
  readonly masters: readonly RedisServer[]
  readonly #settings: Settings
  readonly #replicas: RedisServer[] = []

  private constructor(masters: readonly RedisServer[], settings: Settings) {
    this.masters = masters
    this.#settings = settings
  }

  static async start(settings: Settings = {}): Promise<RedisCluster> {
    const all = { 'cluster-enabled': 'yes', 'cluster-node-timeout': '2000', ...settings }
    const masters = await Promise.all([0, 1, 2].map(() => RedisServer.start(all)))
    const cluster = new RedisCluster(masters, all)
    await cluster.#join()
    return cluster
  }

  /** A replica that could take the master's place. */
  async addReplica(master: RedisServer): Promise<RedisServer> {
    const replica = await RedisServer.start(this.#settings)
    this.#replicas.push(replica)
    const id = await master.command('CLUSTER', 'MYID')
    await replica.command('CLUSTER', 'MEET', '127.0.0.1', master.port)
    await until(async () => String(await replica.command('CLUSTER', 'NODES')).includes(String(id)))
    await replica.command('CLUSTER', 'REPLICATE', String(id))
    await until(async () =>
      String(await master.command('INFO', 'replication')).includes('state=online'),
    )
    return replica
  }

  get url(): string {
    return `redis-cluster://${this.masters.map(({ port }) => `127.0.0.1:${port}`).join(',')}`
  }

  async stop(): Promise<void> {
    await Promise.all([...this.masters, ...this.#replicas].map((server) => server.stop()))
  }

  async #join(): Promise<void> {
    const [first, ...others] = this.masters
    const bounds = [0, 5461, 10_922, 16_384]
    await Promise.all(
      this.masters.map(async (master, n) => {
        await master.command('CLUSTER', 'SET-CONFIG-EPOCH', n + 1)
        const [from = 0, to = 0] = bounds.slice(n)
        await master.command('CLUSTER', 'ADDSLOTSRANGE', from, to - 1)
      }),
    )
    for (const other of others) {
      await other.command('CLUSTER', 'MEET', '127.0.0.1', first?.port ?? 0)
    }
    for (const master of this.masters) {
      await until(async () => {
        const info = String(await master.command('CLUSTER', 'INFO'))
        return info.includes('cluster_state:ok') && info.includes('cluster_known_nodes:3')
      })
    }
  }
}

/** Looks again and again until it is so. */
export async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20))
}

function argumentsOf(settings: Settings): readonly string[] {
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
}

/** Resolves when it takes connections. */
async function launch(args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(BINARY, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  endWithUs(child)
  const ready = new Promise<void>((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (data) => {
      output += data
      if (/Ready to accept connections|Sentinel ID is/.test(output)) resolve()
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`${BINARY} ended: ${output}`)))
  })
  await ready
  return child
}

/** However this process ends, even by SIGKILL: a shell waits for the end of its input, and kills the child then. */
function endWithUs(child: ChildProcess): void {
  if (child.pid === undefined) return
  const script = 'read -r word || kill -9 "$0"'
  const guard = spawn('sh', ['-c', script, String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.unref()
  child.once('exit', () => guard.stdin.end('done\n'))
}
