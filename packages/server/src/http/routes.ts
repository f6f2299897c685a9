import type { IncomingMessage } from 'node:http'
import { err, ok, type Result } from '@junqi/engine'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Door, Visitor } from './door.ts'
import { httpRefusal, type Refusal, refusal } from './refusal.ts'

/** What a handler may look at. */
export interface Asked {
  readonly request: IncomingMessage
  readonly visitor: Visitor
  readonly params: Readonly<Record<string, string>>
  /** From the URL, as text; of several of one name the last. */
  readonly query: Readonly<Record<string, string>>
  /** Parsed JSON, not yet checked; a Buffer: bytes as they came. */
  readonly body: unknown
}

export interface Answer {
  readonly status: 200 | 201 | 204
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export type Handler = (asked: Asked) => Promise<Result<Answer, Refusal>>
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** A path with its handlers. Everyone passes the door first; a method without a handler is answered with those there are. */
export function route(
  app: FastifyInstance,
  door: Door,
  { url, on }: { readonly url: string; readonly on: Partial<Record<Method, Handler>> },
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
      const { params, query } = urlOf(request)
      const asked = { request: request.raw, visitor, params, query, body: request.body }
      const answered = await handler(asked)
      if (!answered.ok) return refuse(reply, answered.error)
      const { status, headers, body } = answered.value
      return reply
        .code(status)
        .headers(headers ?? {})
        .send(body)
    },
  })
}

function handlerOf(method: string, on: Partial<Record<Method, Handler>>): Handler | null {
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

function urlOf(request: FastifyRequest): Pick<Asked, 'params' | 'query'> {
  const query = Object.entries(texts.parse(request.query)).map(
    ([name, value]) => [name, typeof value === 'string' ? value : (value.at(-1) ?? '')] as const,
  )
  return { params: strings.parse(request.params), query: Object.fromEntries(query) }
}

/** The body in its form; else the first field that has it not, and what would be right. */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): Result<T, Refusal> {
  return parse(schema, 'body', body)
}

/** The same for what stands after the `?`. */
export function parseQuery<T>(schema: z.ZodType<T>, query: Asked['query']): Result<T, Refusal> {
  return parse(schema, 'query', query)
}

function parse<T>(schema: z.ZodType<T>, part: string, value: unknown): Result<T, Refusal> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return ok(parsed.data)
  const issue = parsed.error.issues[0]
  const field = [part, ...(issue?.path ?? [])].join('.')
  const right = issue?.message.replace(/^Invalid (?:input|option): /, '') ?? 'not of its form'
  return err(refusal('bad_message', `${field}: ${right}.`))
}
