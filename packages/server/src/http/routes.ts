import type { IncomingMessage } from 'node:http'
import { err, ok, type Result } from '@junqi/engine'
import { type Method, ROUTES, type Route, type RoutePath, readAs } from '@junqi/protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Door, Visitor } from './door.ts'
import { httpRefusal, type Refusal, refusal } from './refusal.ts'

/** What a handler may look at. */
export interface Asked<Query = unknown> {
  readonly request: IncomingMessage
  readonly visitor: Visitor
  readonly params: Readonly<Record<string, string>>
  /** What stands after the `?`, in the form that the route has for it. */
  readonly query: Query
  /** Parsed JSON, not yet checked; a Buffer: bytes as they came. */
  readonly body: unknown
}

export interface Answer {
  readonly status: 200 | 201 | 204
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export type Handler<Query = unknown> = (asked: Asked<Query>) => Promise<Result<Answer, Refusal>>

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

const NO_QUERY = z.strictObject({})

type RouteAt<Path extends RoutePath> = (typeof ROUTES)[Path]
/** What stands after the `?`, as the route's form has it. */
type QueryOf<Path extends RoutePath> =
  RouteAt<Path> extends { readonly query: z.ZodType<infer Query> } ? Query : object
/** A handler for every method that the path has. */
type HandlersOf<Path extends RoutePath> = Readonly<
  Record<keyof RouteAt<Path>['on'], Handler<QueryOf<Path>>>
>

/**
 * A path of the table with its handlers. Everyone passes the door first; a method without a handler is answered with those
 * there are. What stands after the `?` in another form than the route's is refused: no misspelling goes unseen.
 */
export function route<Path extends RoutePath>(
  app: FastifyInstance,
  door: Door,
  { url, on }: { readonly url: Path; readonly on: HandlersOf<Path> },
): void {
  const { query: form = NO_QUERY }: Route = ROUTES[url]
  const allowed = Object.keys(on).join(', ')
  const visitors = new WeakMap<FastifyRequest, Visitor>()
  app.route({
    method: [...METHODS],
    url,
    onSend: async (request, _reply, payload) => {
      const visitor = visitors.get(request)
      if (visitor !== undefined) door.weigh(visitor.peer, bytesOf(payload))
    },
    handler: async (request, reply) => {
      const admitted = door.admit(request.raw)
      if (!admitted.ok) return refuse(reply, admitted.error)
      const visitor = admitted.value
      visitors.set(request, visitor)
      if (visitor.origin === 'allowed') allowPage(request, reply, allowed)
      if (request.method === 'OPTIONS') return reply.code(204).header('allow', allowed).send()
      const handler = handlerOf(request.method, on)
      if (handler === null) return refuseMethod(reply, allowed)
      const given = queryOf(request)
      const query = given.ok ? readForm(form, 'query', given.value) : given
      if (!query.ok) return refuse(reply, query.error)
      const params = strings.parse(request.params)
      const answered = await handler({
        request: request.raw,
        visitor,
        params,
        query: query.value as QueryOf<Path>,
        body: request.body,
      })
      if (!answered.ok) return refuse(reply, answered.error)
      const { status, headers, body } = answered.value
      return reply
        .code(status)
        .headers(headers ?? {})
        .send(body)
    },
  })
}

/** Of a body as it is sent. */
const bytesOf = (payload: unknown): number =>
  typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : 0

function handlerOf<Query>(
  method: string,
  on: Partial<Record<Method, Handler<Query>>>,
): Handler<Query> | null {
  const named = method === 'HEAD' ? 'GET' : method
  const found = Object.entries(on).find(([known]) => known === named)
  return found?.[1] ?? null
}

/** `status`: only where HTTP has a closer one than the code's own. */
export function refuse(reply: FastifyReply, why: Refusal, status?: number): FastifyReply {
  const answer = httpRefusal(why)
  return reply
    .code(status ?? answer.status)
    .headers(answer.headers)
    .send(answer.body)
}

/** `allowed`: what could be done there. */
export function refuseMethod(reply: FastifyReply, allowed: string): FastifyReply {
  const why = refusal('not_found', `Only ${allowed} can be done here.`)
  return refuse(reply.header('allow', allowed), why, 405)
}

/** Lets a page of another, allowed origin read the answers (CORS), without cookies. */
function allowPage(request: FastifyRequest, reply: FastifyReply, methods: string): void {
  reply.headers({
    'access-control-allow-origin': request.headers.origin,
    'access-control-allow-methods': methods,
    'access-control-allow-headers': 'authorization, content-type, idempotency-key',
    'access-control-max-age': '600',
  })
}

const strings = z.record(z.string(), z.string())
const texts = z.array(z.tuple([z.string(), z.union([z.string(), z.array(z.string())])]))

/** As text. A name that stands there twice is refused: which one was meant is not known. */
function queryOf(request: FastifyRequest): Result<Readonly<Record<string, string>>, Refusal> {
  const query: [name: string, value: string][] = []
  for (const [name, value] of texts.parse(Object.entries(request.query ?? {}))) {
    if (typeof value !== 'string')
      return err(refusal('bad_message', `query has ${name} more than once.`))
    query.push([name, value])
  }
  return ok(Object.fromEntries(query))
}

/** The body in its form; else the first field that has it not, and what would be right. */
export const parseBody = <T>(schema: z.ZodType<T>, body: unknown): Result<T, Refusal> =>
  readForm(schema, 'body', body)

/** The same of any part of a request, by its name. */
export function readForm<Form extends z.ZodType>(
  schema: Form,
  name: string,
  value: unknown,
): Result<z.output<Form>, Refusal> {
  const read = readAs(schema, name, value)
  return read.ok ? read : err(refusal('bad_message', read.error))
}
