import { createServer, type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ROUTES, type Route } from '@junqi/protocol'
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Logger } from '../logger.ts'
import { StoreUnavailableError } from '../ports.ts'
import { traceOf } from '../room/fault-log.ts'
import { handleInTurn, type Turns } from './in-turn.ts'
import { httpRefusal, NO_STORE, type Refusal, refusal } from './refusal.ts'
import { METHODS, refuse, refuseMethod } from './routes.ts'

const BODY_BYTES = 8192
/** Of files that are sent and given as they are. */
export const BYTES_TYPE = 'application/octet-stream'
const JSON_TYPE = 'application/json'
/** How long a request may take to come in, and how often that is looked at. */
const REQUEST_MS = 10_000
const CHECK_MS = 5_000
/** How long a connection may stand still in the middle of a request or an answer. WebSockets have their own pings. */
const STILL_MS = 30_000
/** How long one may stand idle between two requests. */
const IDLE_MS = 72_000
/** How long a refused socket may take to be read empty. */
const LAST_WORDS_MS = 2000

const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  vary: 'Origin',
  'x-content-type-options': 'nosniff',
}

export interface HttpServerDeps {
  readonly logger: Logger
  /** Why nothing is answered to a request for what is not there, not even that; null: it is. */
  readonly refusalOf?: (request: IncomingMessage) => Refusal | null
  readonly overran?: Turns['overran']
}

/** An HTTP server that answers every kind of bad request in one form, and logs no URL. */
export function makeHttpServer({
  logger,
  refusalOf = () => null,
  overran = () => {},
}: HttpServerDeps): FastifyInstance {
  const refuseUnknown = (request: IncomingMessage, reply: FastifyReply): FastifyReply =>
    refuse(reply, refusalOf(request) ?? refusal('not_found'))
  const app = fastify({
    logger: false,
    bodyLimit: BODY_BYTES,
    serverFactory: (handle) => makeServer({ handle, overran }),
    exposeHeadRoutes: true,
    forceCloseConnections: true,
    // A room id of any length is only a room that does not exist.
    routerOptions: { maxParamLength: 16_384 },
    frameworkErrors: (_error, request, reply) => refuseUnknown(request.raw, reply),
    clientErrorHandler: (_error, socket) => refuseBytes(socket),
  })
  // Node would refuse it out of turn (in-turn.ts).
  app.addHook('onRequest', async ({ raw }, reply) => {
    const isNameless = raw.headers.host === undefined && raw.httpVersion === '1.1'
    return isNameless ? refuse(reply, refusalOf(raw) ?? NO_HOST) : undefined
  })
  // Plain text would else be read, and refused for what is in it.
  app.removeContentTypeParser('text/plain')
  app.addContentTypeParser(BYTES_TYPE, { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  // Clients that say what a body would be often send none: that is no body.
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser(JSON_TYPE, { parseAs: 'buffer' }, (request, body, done) => {
    const text = textOf(Buffer.from(body))
    if (text === null) done(NO_UTF8)
    else if (text === '') done(null, undefined)
    else parseJson(request, text, done)
  })
  app.addHook('onSend', async (_request, reply) => {
    // The page has its own.
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
      if (!reply.hasHeader(name)) reply.header(name, value)
    }
  })
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request
    logger.debug({ method, route: routeOptions.url ?? null, status: reply.statusCode }, 'http')
  })
  app.setNotFoundHandler((request, reply) => {
    const [url = '/'] = request.url.split('?', 1)
    // Most paths answer every method themselves (routes.ts). As there, HEAD goes without saying.
    const methods = METHODS.filter((method) => method !== 'HEAD')
    const allowed = methods.filter((method) => app.hasRoute({ method, url }))
    return allowed.length > 0
      ? refuseMethod(reply, allowed.join(', '))
      : refuseUnknown(request.raw, reply)
  })
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    if (error instanceof StoreUnavailableError) return refuse(reply, NO_STORE)
    if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
      return refuse(reply, takesBytes(request) ? NO_BYTES_TYPE : NO_JSON_TYPE, error.statusCode)
    if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
      return refuse(reply, TOO_LARGE, error.statusCode)
    const isTheirs = error.statusCode !== undefined && error.statusCode < 500
    if (isTheirs) return refuse(reply, takesBytes(request) ? NO_BYTES_TYPE : NO_JSON)
    logger.error({ ...traceOf(error), route: request.routeOptions.url ?? null }, 'http fault')
    return refuse(reply, refusal('internal'))
  })
  return app
}

function makeServer(turns: Turns): Server {
  const server = createServer({
    requestTimeout: REQUEST_MS,
    headersTimeout: REQUEST_MS,
    connectionsCheckingInterval: CHECK_MS,
    keepAliveTimeout: IDLE_MS,
    requireHostHeader: false,
  })
  server.setTimeout(STILL_MS)
  handleInTurn(server, turns)
  return server
}

const NO_HOST = refusal('bad_message', 'A request of HTTP/1.1 has a Host header.')

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const NO_UTF8 = Object.assign(new Error('The body is not UTF-8'), { statusCode: 400 })

/** null: the bytes are not UTF-8. */
function textOf(bytes: Buffer): string | null {
  try {
    return UTF8.decode(bytes)
  } catch {
    return null
  }
}

const TOO_LARGE = refusal('bad_message', `The body has at most ${BODY_BYTES} bytes.`)

const NO_JSON = refusal('bad_json', 'The body is one JSON object in UTF-8.')
const NO_JSON_TYPE = refusal('bad_message', `The body is JSON, sent as content-type: ${JSON_TYPE}.`)
const NO_BYTES_TYPE = refusal(
  'bad_message',
  `The body is the file as it is, sent as content-type: ${BYTES_TYPE}.`,
)

function takesBytes({ method, routeOptions }: FastifyRequest): boolean {
  const routes: Readonly<Record<string, Route>> = ROUTES
  const operations = Object.entries(routes[routeOptions.url ?? '']?.on ?? {})
  return operations.some(([name, { body }]) => name === method && body === 'bytes')
}

/** Bytes that are no HTTP request. */
function refuseBytes(socket: Socket): void {
  if (socket.writable && socket.bytesWritten === 0) {
    const { headers, body } = httpRefusal(refusal('bad_message', 'This is no HTTP request.'))
    writeResponse(socket, { status: 400, headers, body })
  } else socket.destroy()
}

/** Writes a whole HTTP answer to a socket that no server handles any more, and lets go of it, read or not (F-U2). */
export function writeResponse(socket: Socket, answer: ReturnType<typeof httpRefusal>): void {
  const headers = {
    ...SECURITY_HEADERS,
    ...answer.headers,
    'content-length': String(Buffer.byteLength(answer.body)),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}\r\n${lines.join('')}\r\n`
  socket.setTimeout(LAST_WORDS_MS, () => socket.destroy())
  socket.end(head + answer.body, () => socket.destroy())
}
