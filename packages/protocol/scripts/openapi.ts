import { COMMON_REFUSALS, ERRORS, type ErrorCode, httpStatusOf, PROTOCOL } from '@junqi/protocol'
import type { HttpOperation, HttpSchemas } from './http-schemas.ts'
import type { Schema } from './json-schema.ts'

const BYTES = 'application/octet-stream'
const JSON_TYPE = 'application/json'

const DESCRIPTION = `What a Junqi server answers over HTTP: who you are, rooms as they can be read, finished games. Games are played over the socket at /v1/ws, which asyncapi.json tells of; protocol.md tells of both in prose.

Bodies are JSON, but where they are bytes. Unknown fields in a body and unknown names after the ? are refused. HEAD is GET without the body; a method that a path does not have is refused as not_found with the status 405 and an Allow header, a body that is too large or of another type as bad_message with 413 or 415. Each path also answers OPTIONS, for the pages of allowed origins. Besides these paths there are the page at / and the documents at /docs/.`

const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token that POST /v1/guests told.',
  },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'junqi_token',
    description: 'The same, as pages of the server’s own origin have it.',
  },
} as const

const WITH_TOKEN = [{ bearer: [] }, { cookie: [] }]
const SECURITY = { anyone: [], viewer: [{}, ...WITH_TOKEN], player: WITH_TOKEN } as const

/** The OpenAPI 3.1 document of the public port. */
export function openApi({ operations, httpError, definitions }: HttpSchemas): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const each of operations) {
    const path = each.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [each.method.toLowerCase()]: operationObject(each) }
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Junqi server',
      version: PROTOCOL,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: definitions,
      responses: commonResponses(httpError),
      securitySchemes: SECURITY_SCHEMES,
    },
  }
  return JSON.parse(JSON.stringify(document).replaceAll('"#/$defs/', '"#/components/schemas/'))
}

function operationObject(each: HttpOperation): object {
  const { operation, params, query, body } = each
  const parameters = [
    ...Object.entries(params).map(([name, description]) => ({
      ...{ name, in: 'path', required: true, description },
      schema: { type: 'string' },
    })),
    ...query.map(({ name, required, schema: { description, ...schema } }) => ({
      ...{ name, in: 'query', required, description },
      schema,
    })),
    ...Object.entries(operation.headers ?? {}).map(([name, description]) => ({
      ...{ name, in: 'header', description },
      schema: { type: 'string' },
    })),
  ]
  return {
    operationId: operation.name,
    description: operation.text,
    security: SECURITY[operation.asks],
    ...(parameters.length > 0 && { parameters }),
    ...(body !== null && { requestBody: { required: true, content: contentOf(body) } }),
    responses: responsesOf(each),
  }
}

const contentOf = (body: Schema | 'bytes'): object =>
  body === 'bytes' ? { [BYTES]: {} } : { [JSON_TYPE]: { schema: body } }

const ANSWER_TEXTS = {
  101: 'The socket is open.',
  200: 'Done.',
  201: 'Made.',
  204: 'Done; there is nothing to tell.',
  302: 'The page, at the address in Location.',
} as const

function responsesOf({ operation, answer, refusals }: HttpOperation): object {
  const { status } = operation
  const refused = [...refusals].map(([refusedWith, codes]) => [
    refusedWith,
    isCommon(refusedWith, codes)
      ? { $ref: `#/components/responses/Refused${refusedWith}` }
      : refusedResponse(refusedWith, codes),
  ])
  return {
    [status]: {
      description: ANSWER_TEXTS[status],
      ...(status === 302 && { headers: { Location: { schema: { type: 'string' } } } }),
      ...(answer !== null && { content: contentOf(answer) }),
    },
    ...Object.fromEntries(refused),
  }
}

const commonOf = (status: number): readonly ErrorCode[] =>
  COMMON_REFUSALS.filter((code) => httpStatusOf(code) === status)

const isCommon = (status: number, codes: readonly ErrorCode[]): boolean =>
  codes.join() === commonOf(status).join()

function commonResponses(httpError: Schema): object {
  const statuses = new Set(COMMON_REFUSALS.map(httpStatusOf))
  const responses = [...statuses].map((status) => [
    `Refused${status}`,
    refusedResponse(status, commonOf(status), httpError),
  ])
  return Object.fromEntries(responses)
}

const HTTP_ERROR: Schema = { $ref: '#/$defs/HttpError' }

function refusedResponse(
  status: number,
  codes: readonly ErrorCode[],
  schema: Schema = HTTP_ERROR,
): object {
  const headers = {
    ...(status === 401 && { 'WWW-Authenticate': { schema: { type: 'string' } } }),
    ...(status === 429 && {
      'Retry-After': { description: 'In seconds.', schema: { type: 'integer' } },
    }),
  }
  return {
    description: codes.map((code) => `${code}: ${ERRORS[code].text}`).join(' '),
    ...(Object.keys(headers).length > 0 && { headers }),
    content: { [JSON_TYPE]: { schema } },
  }
}
