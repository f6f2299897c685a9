import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** A node behind the balancer, known by its address. */
export interface Backend {
  /** `http://127.0.0.1:port` */
  readonly url: string
}

const CHECK_MS = 200
const CHECK_TIMEOUT_MS = 1_000

interface Visit {
  readonly backend: Backend
  /** The first bytes that the visitor sent: an HTTP request with its headers. */
  head: string
}

/**
 * The one entry port before several nodes, as any load balancer has it: each new connection goes to the next node that
 * is ready and takes it. It knows nothing of sessions.
 */
export class Balancer {
  readonly url: string
  readonly #server: Server
  readonly #backends: readonly Backend[]
  readonly #ready = new Set<Backend>()
  readonly #visits = new Map<Socket, Visit>()
  #turn = 0
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  private constructor(server: Server, backends: readonly Backend[]) {
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    this.url = `http://127.0.0.1:${address.port}`
    this.#server = server
    this.#backends = backends
    server.on('connection', (client) => void this.#serve(client))
  }

  static async before(backends: readonly Backend[]): Promise<Balancer> {
    const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const balancer = new Balancer(server, backends)
    await balancer.#check()
    return balancer
  }

  /** The heads of the requests of those whom a node serves now. */
  servedBy(backend: Backend): readonly string[] {
    return [...this.#visits.values()]
      .filter((visit) => visit.backend === backend)
      .map(({ head }) => head)
  }

  /** Who serves the newest of the visitors whose request has such a head; an older line may not be closed yet. */
  serverOf(isSuch: (head: string) => boolean): Backend | null {
    const visits = [...this.#visits.values()].filter(({ head }) => isSuch(head))
    return visits.at(-1)?.backend ?? null
  }

  /** Ends the lines of those visitors who are chosen, without a word; says how many. */
  cut(isChosen: () => boolean): number {
    const chosen = [...this.#visits.keys()].filter(isChosen)
    for (const client of chosen) client.destroy()
    return chosen.length
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const client of this.#visits.keys()) client.destroy()
    await closed
  }

  async #check(): Promise<void> {
    await Promise.all(this.#backends.map((backend) => this.#checkOne(backend)))
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.#check(), CHECK_MS)
  }

  async #checkOne(backend: Backend): Promise<void> {
    if (await isReady(backend)) this.#ready.add(backend)
    else this.#ready.delete(backend)
  }

  async #serve(client: Socket): Promise<void> {
    client.on('error', () => client.destroy())
    client.pause()
    for (const backend of this.#inTurn()) {
      const node = await dial(backend)
      if (node !== null) return this.#join(client, node, backend)
      this.#ready.delete(backend)
    }
    client.destroy()
  }

  /** Those that are ready, the next one first. */
  #inTurn(): readonly Backend[] {
    const ready = this.#backends.filter((backend) => this.#ready.has(backend))
    const first = ready.length === 0 ? 0 : this.#turn++ % ready.length
    return [...ready.slice(first), ...ready.slice(0, first)]
  }

  #join(client: Socket, node: Socket, backend: Backend): void {
    const visit: Visit = { backend, head: '' }
    this.#visits.set(client, visit)
    client.once('data', (chunk) => {
      visit.head = chunk.toString('latin1')
    })
    client.pipe(node)
    node.pipe(client)
    const part = (): void => {
      this.#visits.delete(client)
      client.destroy()
      node.destroy()
    }
    client.once('close', part)
    node.once('close', part)
    if (client.destroyed) part()
  }
}

async function isReady({ url }: Backend): Promise<boolean> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}

/** null: nobody takes it. */
function dial({ url }: Backend): Promise<Socket | null> {
  return new Promise((resolve) => {
    const node = connect({
      port: Number(new URL(url).port),
      host: '127.0.0.1',
      allowHalfOpen: true,
    })
    node.setNoDelay()
    node.once('connect', () => resolve(node))
    node.on('error', () => {
      node.destroy()
      resolve(null)
    })
  })
}
