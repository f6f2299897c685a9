import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { decodeServerMessage, ERRORS, httpError, type ServerMessage } from '@junqi/protocol'
import { WebSocket, WebSocketServer } from 'ws'
import type { Asked } from './way-in.ts'

/** Of a request's headers what says who asks, and what it sends. */
const HEADERS = ['authorization', 'cookie', 'content-type', 'idempotency-key'] as const
/** Of an answer's. */
const ANSWER_HEADERS = ['content-type', 'set-cookie', 'retry-after', 'www-authenticate', 'allow']

/** A message as it goes out to the client: one of the server, or one that was made up. */
export interface ToldFrame {
  readonly type: string
  readonly [field: string]: unknown
}

/** What becomes of a handshake: it goes on to the server, is torn off, or is answered as by a node that is drained. */
export type Admission = 'open' | 'torn' | 'drained'

/** What happens on a line, and what becomes of it. */
export interface Ear {
  /** A socket is asked for. */
  admits(): Admission
  /** A request was answered, or a socket refused. */
  asked(request: Asked): void
  opened(link: Link): void
  /** A frame of the client; what comes back is what the server gets in its place. */
  hears(link: Link, frame: string, isBinary: boolean): readonly string[]
  /** A message of the server; what comes back is what the client gets in its place. */
  tells(link: Link, message: ServerMessage): readonly ToldFrame[]
  /** What the client got. */
  told(message: ToldFrame): void
  closed(): void
}

/** Before a server, for one client: everything goes through it, and may be held, changed or added to. */
export class Line {
  readonly #server: Server
  readonly #upstream: string
  readonly #ear: Ear
  readonly #sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'junqi.v1' })
  readonly #links = new Set<Link>()

  private constructor(upstream: string, ear: Ear) {
    this.#upstream = upstream
    this.#ear = ear
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy())
    })
    this.#server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head))
  }

  /** On a free port of the loopback interface. */
  static async before(upstream: string, ear: Ear): Promise<Line> {
    const line = new Line(upstream, ear)
    await once(line.#server.listen(0, '127.0.0.1'), 'listening')
    return line
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo
    return `http://127.0.0.1:${port}`
  }

  async close(): Promise<void> {
    for (const link of this.#links) link.cut()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request
    const body = await buffer(request)
    const answer = await fetch(this.#upstream + url, {
      method,
      headers: headersOf(request),
      ...(body.length > 0 && { body }),
      redirect: 'manual',
    })
    const headers = ANSWER_HEADERS.flatMap((name) => {
      const value = answer.headers.get(name)
      return value === null ? [] : [[name, value] as const]
    })
    this.#ear.asked({ what: nameOf(request), status: answer.status })
    response.writeHead(answer.status, Object.fromEntries(headers))
    response.end(Buffer.from(await answer.arrayBuffer()))
  }

  /** Opened once the server has let it in; what speaks against it is answered as the server does. */
  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => {})
    const admission = this.#ear.admits()
    if (admission === 'torn') return void socket.destroy()
    if (admission === 'drained') {
      this.#ear.asked({ what: nameOf(request), status: 503 })
      return void socket.end(refusalText(503, DRAINED))
    }
    const protocols = (request.headers['sec-websocket-protocol'] ?? '').split(/\s*,\s*/)
    const address = this.#upstream.replace('http', 'ws') + (request.url ?? '/')
    const upstream = new WebSocket(address, protocols.filter(Boolean), {
      headers: headersOf(request),
    })
    upstream.on('error', () => socket.destroy())
    upstream.once('unexpected-response', (_, answer) => {
      this.#ear.asked({ what: nameOf(request), status: answer.statusCode ?? 502 })
      buffer(answer)
        .then((body) => socket.end(refusalText(answer.statusCode ?? 502, body)))
        .catch(() => socket.destroy())
    })
    upstream.once('open', () => {
      this.#sockets.handleUpgrade(request, socket, head, (client) => {
        const link = new Link(client, upstream, this.#ear, credentialOf(request))
        this.#links.add(link)
        client.once('close', () => this.#links.delete(link))
      })
    })
  }
}

const headersOf = ({ headers }: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    HEADERS.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])),
  )

/** Without what its query may tell. */
const nameOf = ({ method = 'GET', url = '/' }: IncomingMessage): string =>
  `${method} ${url.replace(/\?.*/, '')}`

/** With what somebody came: of whom it is the same, that is the same player. */
const credentialOf = ({ headers }: IncomingMessage): string =>
  [
    headers.authorization?.replace(/^bearer +/i, ''),
    /bearer\.([^, ]+)/.exec(headers['sec-websocket-protocol'] ?? '')?.[1],
    headers.cookie,
  ].find((text) => text !== undefined) ?? ''

const DRAINED = JSON.stringify(
  httpError.parse({
    error: { code: 'unavailable', message: ERRORS.unavailable.text, retryable: true },
  }),
)

const refusalText = (status: number, body: Buffer | string): string =>
  `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`

/** One connection of the client, and its own to the server. */
export class Link {
  readonly credential: string
  readonly #client: WebSocket
  readonly #upstream: WebSocket
  readonly #ear: Ear

  constructor(client: WebSocket, upstream: WebSocket, ear: Ear, credential: string) {
    this.credential = credential
    this.#client = client
    this.#upstream = upstream
    this.#ear = ear
    client.on('error', () => {})
    client.on('message', (data, isBinary) => {
      for (const text of ear.hears(this, String(data), isBinary)) this.say(text)
    })
    upstream.on('message', (data) => {
      const decoded = decodeServerMessage(String(data))
      if (!decoded.ok || decoded.value.type === 'unknown') return
      for (const message of ear.tells(this, decoded.value)) this.tell(message)
    })
    client.once('close', () => {
      upstream.terminate()
      ear.closed()
    })
    upstream.once('close', (code) => this.#passOn(code))
    ear.opened(this)
  }

  /** Says something to the server. */
  say(text: string): void {
    if (this.#upstream.readyState === WebSocket.OPEN) this.#upstream.send(text)
  }

  /** Tells the client something. */
  tell(message: ToldFrame): void {
    if (this.#client.readyState !== WebSocket.OPEN) return
    this.#client.send(JSON.stringify(message))
    this.#ear.told(message)
  }

  /** Sends a ping of WebSocket; `answered` is called if the client answers. */
  ping(answered: () => void): void {
    this.#client.once('pong', answered)
    this.#client.ping()
  }

  close(code: number, reason: string): void {
    this.#client.close(code, reason)
  }

  /** Ends it without a word. */
  cut(): void {
    this.#client.terminate()
  }

  /** What the server closes it closes with the same code, if that may be sent. */
  #passOn(code: number): void {
    if (code >= 1000 && code !== 1005 && code !== 1006) this.#client.close(code)
    else this.#client.terminate()
  }
}
