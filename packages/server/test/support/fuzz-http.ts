import { readFileSync } from 'node:fs'
import { type OutgoingHttpHeaders, request } from 'node:http'
import { ERRORS, httpError } from '@junqi/protocol'
import fc from 'fast-check'
import { z } from 'zod'

const DOCUMENT = new URL('../../../../docs/protocol/openapi.json', import.meta.url)

const parameter = z.object({ name: z.string(), in: z.enum(['path', 'query', 'header']) })
const operation = z.object({
  parameters: z.array(parameter).default([]),
  requestBody: z
    .object({ content: z.record(z.string(), z.object({ schema: z.unknown().optional() })) })
    .optional(),
  responses: z.record(z.string(), z.unknown()),
})
const document = z
  .object({
    paths: z.record(z.string(), z.record(z.string(), operation)),
    components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
  })
  .parse(JSON.parse(readFileSync(DOCUMENT, 'utf8')))

/** What one can ask of a server: the way to a path, by a method. */
export interface AskedFor {
  readonly method: string
  /** With `{id}` for what differs. */
  readonly path: string
  readonly query: readonly string[]
  /** A schema of JSON; `bytes`: anything; null: no body. */
  readonly body: unknown
  /** The statuses that the document tells of. */
  readonly statuses: readonly number[]
}

/** Every operation of the document but the handshake of the socket, which is no answer. */
export const TOLD: readonly AskedFor[] = Object.entries(document.paths).flatMap(([path, on]) =>
  path === '/v1/ws'
    ? []
    : Object.entries(on).map(([method, { parameters, requestBody, responses }]) => ({
        method: method.toUpperCase(),
        path,
        query: parameters.filter((each) => each.in === 'query').map(({ name }) => name),
        body: bodyIn(requestBody?.content),
        statuses: Object.keys(responses).map(Number),
      })),
)

function bodyIn(content: Readonly<Record<string, { schema?: unknown }>> | undefined): unknown {
  if (content === undefined) return null
  return content['application/json']?.schema ?? 'bytes'
}

const schemaForm = z.looseObject({
  $ref: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  pattern: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
})

/** Values of about the form of a JSON schema. */
function valuesOf(schema: unknown): fc.Arbitrary<unknown> {
  const read = schemaForm.parse(schema ?? {})
  if (read.$ref !== undefined)
    return valuesOf(document.components.schemas[read.$ref.split('/').at(-1) ?? ''])
  if (read.enum !== undefined) return fc.constantFrom(...read.enum)
  if (read.const !== undefined) return fc.constant(read.const)
  const options = read.anyOf ?? read.oneOf
  if (options !== undefined) return fc.oneof(...options.map(valuesOf))
  switch (read.type) {
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(read.properties ?? {}).map(([name, of]) => [name, valuesOf(of)]),
        ),
        { requiredKeys: [] },
      )
    case 'array':
      return fc.array(valuesOf(read.items), { maxLength: 3 })
    case 'string':
      return read.pattern === undefined
        ? fc.string({ maxLength: 30 })
        : fc.stringMatching(new RegExp(read.pattern))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.oneof(fc.integer(), fc.double())
  }
}

/** What stands in paths and queries where something else is meant; as it goes over the line. */
const HOSTILE_PARTS = [
  '',
  '.',
  '..',
  '..%2f..%2fetc%2fpasswd',
  '%00',
  '%ff',
  '%E0%A4%A',
  '%',
  '%0d%0aset-cookie:x=1',
  '__proto__',
  'constructor',
  'toString',
  '-1',
  '0',
  '1e9',
  '99999999999999999999',
  'NaN',
  '%F0%9F%92%A3',
  '%E2%80%AE',
  "'--",
  '%3Cscript%3E',
  '*',
  '$where',
  'a'.repeat(3000),
  '[]',
  '%5B%5D',
] as const

const HOSTILE_BODIES = [
  '',
  'null',
  '[]',
  '{}',
  '"',
  '{"name":',
  '1e999',
  '{"__proto__":{"name":"x"}}',
  '{"name":{"toString":1}}',
  '{"name":"\\u0000"}',
  '{"name":"\\ud800"}',
  '{"name":1,"name":"x"}',
  `{"name":"${'x'.repeat(5000)}"}`,
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
  `{"a":${'{"a":'.repeat(2000)}1${'}'.repeat(2001)}`,
  '\ufeff{}',
  `"${'x'.repeat(200_000)}"`,
] as const
const TYPES = [
  'application/json',
  'application/octet-stream',
  'text/plain',
  'application/json; charset=utf-16',
  'multipart/form-data',
  '',
  'x',
] as const
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** A request as it is sent. */
export interface FuzzRequest {
  readonly asked: AskedFor
  readonly method: string
  readonly target: string
  readonly headers: OutgoingHttpHeaders
  /** What it brings as a token; null: none. */
  readonly token: string | null
  readonly body: string | Uint8Array | null
}

/** What requests are about: values of parameters by name, and tokens. */
export interface HttpScene {
  readonly values: ReadonlyMap<string, readonly string[]>
  readonly tokens: readonly string[]
}

/** Requests for each operation in turn: in order, not quite, and not at all. */
export function fuzzRequests(
  told: readonly AskedFor[],
  scene: HttpScene,
  { count, seed }: { readonly count: number; readonly seed: number },
): readonly FuzzRequest[] {
  const each = Math.ceil(count / told.length)
  return told.flatMap((asked, n) =>
    fc.sample(requestsFor(asked, scene), { numRuns: each, seed: seed + n }),
  )
}

function requestsFor(asked: AskedFor, { values, tokens }: HttpScene): fc.Arbitrary<FuzzRequest> {
  const part = (name: string): fc.Arbitrary<string> => {
    const known = (values.get(name) ?? []).map((value) => encodeURIComponent(value))
    const hostile = fc.constantFrom(...HOSTILE_PARTS)
    const any = fc.string({ unit: 'binary', maxLength: 12 }).map(percentEncoded)
    if (known.length === 0) return fc.oneof(hostile, any)
    return fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...known) }, hostile, any)
  }
  const names = [...asked.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const params = fc.record(Object.fromEntries(names.map((name) => [name, part(name)])))
  const pair = fc
    .constantFrom(...asked.query, ...asked.query, ...asked.query, 'x', '__proto__')
    .chain((name) => part(name).map((value) => `${name}=${value}`))
  const query = fc
    .array(pair, { maxLength: 3 })
    .map((pairs) => (pairs.length > 0 ? `?${pairs.join('&')}` : ''))
  const token = fc.constantFrom(null, 'x', '🎲', ...tokens, ...tokens)
  const isUsual = fc.integer({ min: 0, max: 4 }).map((n) => n > 0)
  return fc
    .record({
      params,
      query,
      token,
      method: fc.oneof(
        { weight: 6, arbitrary: fc.constant<string>(asked.method) },
        fc.constantFrom(...METHODS),
      ),
      body: bodiesOf(asked),
      type: isUsual.chain((usual) =>
        fc.constantFrom(...(usual ? TYPES.slice(0, asked.body === 'bytes' ? 2 : 1) : TYPES)),
      ),
      key: fc.oneof(fc.constant(undefined), fc.constantFrom('k1', 'k2', '', 'x'.repeat(40))),
    })
    .map(({ body, key, method, params: given, query: after, token: bearer, type }) => ({
      asked,
      method,
      target: asked.path.replace(/\{(\w+)\}/g, (_, name) => given[name] ?? '') + after,
      token: bearer,
      headers: {
        ...(bearer !== null && {
          authorization: `Bearer ${Buffer.from(bearer).toString('latin1')}`,
        }),
        ...(body !== null && { 'content-type': type }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      body,
    }))
}

function bodiesOf({ body }: AskedFor): fc.Arbitrary<string | Uint8Array | null> {
  const hostile = fc.constantFrom(...HOSTILE_BODIES)
  if (body === null) return fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, hostile)
  const bytes = fc.uint8Array({ maxLength: 200 })
  if (body === 'bytes') return fc.oneof({ weight: 3, arbitrary: bytes }, hostile, fc.constant(null))
  const valid = valuesOf(body).map((value) => JSON.stringify(value))
  return fc.oneof({ weight: 6, arbitrary: valid }, hostile, bytes, fc.json(), fc.constant(null))
}

const percentEncoded = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

export interface HttpAnswer {
  readonly status: number
  readonly type: string
  readonly text: string
}

/** Sends the target as it is: `fetch` would tidy it up. */
export function send(
  url: string,
  { body, headers, method, target }: FuzzRequest,
): Promise<HttpAnswer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const length = body === null ? {} : { 'content-length': Buffer.byteLength(body) }
    const sent = request(
      { hostname, port, method, path: target, headers: { ...headers, ...length } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'] ?? '',
            text: Buffer.concat(chunks).toString('latin1'),
          }),
        )
        // It has answered, and reads no more.
        response.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body ?? undefined)
  })
}

/** Of any path: no such path or method, too large, another type, not even HTTP. */
const OF_ALL = [204, 400, 401, 404, 405, 413, 414, 415, 431]

/** What nobody may be told but who brings its owner's token. */
export interface Secret {
  readonly text: string
  readonly owner: string | null
}

/** What is wrong with an answer; null: nothing. */
export function wrongWith(
  { asked, method, token }: FuzzRequest,
  { status, text, type }: HttpAnswer,
  secrets: readonly Secret[],
): string | null {
  const secret = secrets.find((each) => each.owner !== token && text.includes(each.text))
  if (secret !== undefined) return 'a secret is told'
  if (status >= 500) return `${status}: ${text}`
  if (method === asked.method && ![...asked.statuses, ...OF_ALL].includes(status))
    return `${status} is not told of`
  if (status < 400 || method === 'HEAD') return null
  if (!type.startsWith('application/json')) return `a refusal in ${type}: ${text}`
  const refused = httpError.safeParse(JSON.parse(text))
  return refused.success && refused.data.error.code in ERRORS ? null : `no refusal: ${text}`
}
