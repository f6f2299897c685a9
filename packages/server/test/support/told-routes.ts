import { subscribe } from 'node:diagnostics_channel'
import {
  COMMON_REFUSALS,
  type ErrorCode,
  httpError,
  httpStatusOf,
  type Operation,
  ROUTES,
  type Route,
} from '@junqi/protocol'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

/** Where HTTP has a closer status than the code's own. */
const CLOSER: Partial<Record<ErrorCode, readonly number[]>> = {
  bad_message: [413, 415],
  not_found: [405],
}

interface Answer {
  readonly status: number
  readonly type: string
  readonly payload: unknown
}

const routes: Readonly<Record<string, Route>> = ROUTES
const problems: string[] = []
const paths = new WeakMap<FastifyInstance, Set<string>>()
const initialization = z.object({ fastify: z.custom<FastifyInstance>() })

/** From now on every answer of a server in this process is compared with what `ROUTES` tells of it. */
subscribe('fastify.initialization', (message) => {
  const { fastify } = initialization.parse(message)
  const found = new Set<string>()
  paths.set(fastify, found)
  fastify.addHook('onRoute', ({ url }) => void found.add(url))
  fastify.addHook('onSend', async (request, reply, payload) => {
    const { url = '' } = request.routeOptions
    const route = routes[url]
    if (route === undefined) return
    const type = String(reply.getHeader('content-type') ?? '')
    const problem = problemOf(route, request.method, { status: reply.statusCode, type, payload })
    if (problem !== null) problems.push(`${request.method} ${url}: ${problem}`)
  })
})

/** The paths at which a server answers, as they were registered. */
export const pathsOf = (http: FastifyInstance): ReadonlySet<string> => paths.get(http) ?? new Set()

/** What was answered otherwise than `ROUTES` tells, since this was asked last. */
export const untoldAnswers = (): readonly string[] => problems.splice(0)

/** What of an answer is not as the route tells it; null: nothing. */
export function problemOf(route: Route, method: string, answer: Answer): string | null {
  if (method === 'OPTIONS' && answer.status === 204) return null
  const operations: Readonly<Record<string, Operation>> = route.on
  const operation = operations[method === 'HEAD' ? 'GET' : method]
  if (answer.status >= 400) return problemOfRefusal(operation?.refusals ?? [], answer)
  if (operation === undefined) return `answered with ${answer.status}`
  if (answer.status !== operation.status) return `${answer.status}, not ${operation.status}`
  return method === 'HEAD' ? null : problemOfBody(operation.answer, answer)
}

function problemOfRefusal(told: readonly ErrorCode[], { status, payload }: Answer): string | null {
  const { code } = httpError.parse(JSON.parse(String(payload))).error
  if (![...told, ...COMMON_REFUSALS].includes(code)) return `it refuses with ${code}`
  const statuses = [httpStatusOf(code), ...(CLOSER[code] ?? [])]
  return statuses.includes(status) ? null : `${code} has the status ${status}`
}

function problemOfBody(form: Operation['answer'], { type, payload }: Answer): string | null {
  if (form === null) return null
  if (form === 'bytes') return type === 'application/octet-stream' ? null : `it is ${type}`
  const parsed = form.safeParse(JSON.parse(String(payload)))
  return parsed.success ? null : z.prettifyError(parsed.error)
}
