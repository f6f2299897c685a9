import { connect, createServer, type Server, type Socket } from 'node:net'

/** What becomes of the bytes that come. */
export type Passage =
  | { readonly type: 'open' }
  /** They come so much later, each way. */
  | { readonly type: 'delayed'; readonly ms: number }
  /** They wait until the passage is another, as on a line that is interrupted for a while. */
  | { readonly type: 'held' }
  /** They are lost, and nobody is told, until the passage is another: then those connections end. */
  | { readonly type: 'swallowed' }

/** What is done to the reply to a request that is waited for. */
interface Trap {
  readonly request: RegExp
  readonly spring: (link: Link) => void
}

/** A TCP proxy before one port, on which things go wrong at a word. */
export class FaultyLine {
  readonly port: number
  readonly #upstream: number
  readonly #links = new Set<Link>()
  #server: Server
  #passage: Passage = { type: 'open' }
  #trap: Trap | null = null

  private constructor(upstream: number, server: Server, port: number) {
    this.#upstream = upstream
    this.#server = server
    this.port = port
    this.#serve()
  }

  /** On a free port of the loopback interface. */
  static async to(upstream: number): Promise<FaultyLine> {
    const server = await listen(0)
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    return new FaultyLine(upstream, server, address.port)
  }

  get passage(): Passage {
    return this.#passage
  }

  /** Of the connections there are, and of those to come. */
  set passage(passage: Passage) {
    const isRevealed = this.#passage.type === 'swallowed' && passage.type !== 'swallowed'
    this.#passage = passage
    if (isRevealed) this.cut()
    for (const link of this.#links) link.passage = passage
  }

  get size(): number {
    return this.#links.size
  }

  /** Ends every connection; new ones are taken. */
  cut(): void {
    for (const link of this.#links) link.cut()
  }

  /** Ends every connection and refuses new ones, until `admit`. */
  async refuse(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.cut()
    await closed
  }

  async admit(): Promise<void> {
    this.#server = await listen(this.port)
    this.#serve()
  }

  /** Resolves when a request of this form was handed on and was answered; the answer is lost with the connection. */
  loseReply(request: RegExp): Promise<void> {
    return new Promise((resolve) => {
      this.#trap = { request, spring: (link) => link.loseReplies(resolve) }
    })
  }

  /** Resolves when a request of this form was handed on. Its answer is kept back until the function returned is called. */
  holdReply(request: RegExp): Promise<() => void> {
    return new Promise((resolve) => {
      this.#trap = { request, spring: (link) => resolve(link.holdReplies()) }
    })
  }

  async close(): Promise<void> {
    if (this.#server.listening) await this.refuse()
  }

  #serve(): void {
    this.#server.on('connection', (client) => {
      const upstream = connect(this.#upstream, '127.0.0.1')
      const link = new Link(client, upstream, (chunk) => this.#handedOn(link, chunk))
      link.passage = this.#passage
      this.#links.add(link)
      client.once('close', () => this.#links.delete(link))
    })
  }

  #handedOn(link: Link, chunk: Buffer): void {
    const trap = this.#trap
    if (trap === null || !trap.request.test(chunk.toString('latin1'))) return
    this.#trap = null
    trap.spring(link)
  }
}

/** Late enough that every reply to what was handed on is there. */
const REPLIED_MS = 50

/** A connection through the proxy. */
class Link {
  readonly #client: Socket
  readonly #upstream: Socket
  #passage: Passage = { type: 'open' }

  /** `handedOn` is told what has just gone to the upstream. */
  constructor(client: Socket, upstream: Socket, handedOn: (chunk: Buffer) => void) {
    this.#client = client
    this.#upstream = upstream
    this.#join(client, upstream, handedOn)
    this.#join(upstream, client, () => {})
  }

  set passage(passage: Passage) {
    this.#passage = passage
    for (const socket of [this.#client, this.#upstream]) {
      if (passage.type === 'held') socket.pause()
      else socket.resume()
    }
  }

  cut(): void {
    this.#client.destroy()
    this.#upstream.destroy()
  }

  loseReplies(lost: () => void): void {
    this.#upstream.removeAllListeners('data')
    this.#upstream.once('data', () => {
      setTimeout(() => {
        this.cut()
        lost()
      }, REPLIED_MS)
    })
  }

  holdReplies(): () => void {
    this.#upstream.pause()
    return () => this.#upstream.resume()
  }

  #join(from: Socket, to: Socket, handedOn: (chunk: Buffer) => void): void {
    const pipe = new SlowPipe((chunk) => {
      if (to.destroyed) return
      to.write(chunk)
      handedOn(chunk)
    })
    from.setNoDelay()
    from.on('data', (chunk) => {
      if (this.#passage.type === 'swallowed') return
      pipe.take(chunk, this.#passage.type === 'delayed' ? this.#passage.ms : 0)
    })
    // Whoever cannot be told that the other end is gone is not told.
    from.on('close', () => this.#passage.type !== 'swallowed' && to.end())
    from.on('error', () => from.destroy())
  }
}

/** Hands on what it takes, each piece so much later, and never out of order. */
class SlowPipe {
  readonly #handOn: (chunk: Buffer) => void
  readonly #waiting: { readonly chunk: Buffer; readonly at: number }[] = []

  constructor(handOn: (chunk: Buffer) => void) {
    this.#handOn = handOn
  }

  take(chunk: Buffer, delayMs: number): void {
    this.#waiting.push({ chunk, at: performance.now() + delayMs })
    if (this.#waiting.length === 1) this.#run()
  }

  #run(): void {
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      const early = next.at - performance.now()
      if (early > 0) {
        setTimeout(() => this.#run(), early)
        return
      }
      this.#handOn(next.chunk)
      this.#waiting.shift()
    }
  }
}

function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}
