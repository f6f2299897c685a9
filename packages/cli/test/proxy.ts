import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import WebSocket, { WebSocketServer } from 'ws'

export type Json = Record<string, unknown>

/** What a proxy does with what goes through it, beside passing it on. */
export interface Meddling {
  /** The frames that the guest of this name gets for one of the server's. */
  readonly toGuest?: (name: string, frame: Json, line: Line) => readonly Json[]
  readonly toServer?: (name: string, frame: Json) => Json
  readonly record?: (record: Json) => Json
}

/** One guest's connection. */
export interface Line {
  /** Cuts it, as a fault of the network does. */
  cut(): void
}

export interface Proxy {
  readonly url: string
  close(): Promise<void>
}

/** Stands between guests and the server at `target`. */
export async function startProxy(target: string, meddling: Meddling = {}): Promise<Proxy> {
  const names = new Map<string, string>()
  const sockets = new Set<WebSocket>()
  const http = createServer((request, response) => {
    passRequest(target, { request, response, names, meddling })
  })
  const gate = new WebSocketServer({ server: http, handleProtocols: () => 'junqi.v1' })
  gate.on('connection', (guest, request) => {
    const protocols = String(request.headers['sec-websocket-protocol']).split(/, */)
    const server = new WebSocket(`${target.replace('http', 'ws')}/v1/ws`, protocols)
    const name = names.get(protocols[1]?.replace('bearer.', '') ?? '') ?? ''
    for (const socket of [guest, server]) sockets.add(socket)
    join({ guest, server, name, meddling })
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const address = http.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const close = async () => {
    for (const socket of sockets) socket.terminate()
    http.close()
    http.closeAllConnections()
    await once(http, 'close')
  }
  return { url: `http://127.0.0.1:${port}`, close }
}

interface Passing {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Of guests, by token. */
  readonly names: Map<string, string>
  readonly meddling: Meddling
}

async function passRequest(target: string, { request, response, names, meddling }: Passing) {
  const { method = 'GET', url = '/', headers } = request
  const answer = await fetch(`${target}${url}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(headers.authorization === undefined ? {} : { authorization: headers.authorization }),
    },
    body: method === 'POST' ? await buffer(request) : null,
  })
  if (!answer.headers.get('content-type')?.startsWith('application/json')) {
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    response.end(Buffer.from(await answer.arrayBuffer()))
    return
  }
  const body: Json = JSON.parse(await answer.text())
  if (url === '/v1/guests') names.set(String(body.token), String(body.name))
  const told = url.endsWith('/record') && meddling.record ? meddling.record(body) : body
  response.writeHead(answer.status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(told))
}

interface Joint {
  readonly guest: WebSocket
  readonly server: WebSocket
  readonly name: string
  readonly meddling: Meddling
}

function join({ guest, server, name, meddling }: Joint): void {
  const line: Line = { cut: () => guest.terminate() }
  const { toGuest = (_, frame) => [frame], toServer = (_, frame) => frame } = meddling
  const early: string[] = []
  guest.on('message', (data) => {
    const text = JSON.stringify(toServer(name, JSON.parse(String(data))))
    if (server.readyState === WebSocket.CONNECTING) early.push(text)
    else server.send(text)
  })
  server.on('open', () => {
    for (const text of early.splice(0)) server.send(text)
  })
  server.on('message', (data) => {
    for (const frame of toGuest(name, JSON.parse(String(data)), line)) {
      guest.send(JSON.stringify(frame))
    }
  })
  guest.on('close', () => server.close())
  server.on('close', () => guest.close())
  server.on('error', () => guest.close())
}
