import type { IncomingMessage } from 'node:http'
import { err, type Result } from '@junqi/engine'
import { readAs } from '@junqi/protocol'
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
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

interface Route<Query = unknown> {
  readonly url: string
  readonly on: Partial<Record<Method, Handler<Query>>>
}

interface QueryRoute<Query> extends Route<Query> {
  /** The form of what stands after the `?`, made of texts. */
  readonly query: z.ZodType<Query>
}

const NO_QUERY = z.strictObject({})

/** A path with its handlers. Everyone passes the door first; a method without a handler is answered with those there are. */
export const route = (app: FastifyInstance, door: Door, { url, on }: Route): void =>
  queryRoute(app, door, { url, query: NO_QUERY, on })

/** The same where something may be asked for after the `?`. In another form it is refused: no misspelling goes unseen. */
export function queryRoute<Query>(
  app: FastifyInstance,
  door: Door,
  { url, query: form, on }: QueryRoute<Query>,
): void {
  const allowed = Object.keys(on).join(', ')
  app.route({
    method: [...METHODS],
    url,
    handler: async (request, reply) => {
      const admitted = door.admit(request.raw)
      if (!admitted.ok) return refuse(reply, admitted.error)
      const visitor = admitted.value
      if (visitor.origin === 'allowed') allowPage(request, reply, allowed)
      if (request.method === 'OPTIONS') return reply.code(204).header('allow', allowed).send()
      const handler = handlerOf(request.method, on)
      if (handler === null) return refuseMethod(reply, allowed)
      const query = readForm(form, 'query', queryOf(request))
      if (!query.ok) return refuse(reply, query.error)
      const params = strings.parse(request.params)
      const answered = await handler({
        request: request.raw,
        visitor,
        params,
        query: query.value,
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

function handlerOf<Query>(method: string, on: Route<Query>['on']): Handler<Query> | null {
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

function refuseMethod(reply: FastifyReply, allowed: string): FastifyReply {
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
const texts = z.record(z.string(), z.union([z.string(), z.array(z.string())]))

/** As text; of several of one name the last. */
function queryOf(request: FastifyRequest): Readonly<Record<string, string>> {
  const query = Object.entries(texts.parse(request.query)).map(
    ([name, value]) => [name, typeof value === 'string' ? value : (value.at(-1) ?? '')] as const,
  )
  return Object.fromEntries(query)
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
