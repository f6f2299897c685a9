import { readFileSync } from 'node:fs'
import { ANSWERS, clientMessage, ROUTES, serverMessage } from '@junqi/protocol'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const read = (url: URL): unknown => JSON.parse(readFileSync(url, 'utf8'))
const documentOf = (name: string) =>
  read(new URL(`../../../docs/protocol/${name}.json`, import.meta.url))

const typesOf = (union: typeof clientMessage | typeof serverMessage): readonly string[] =>
  union.options.map((option) => option.shape.type.value)

/** What a reference within a document leads to. */
const found = (document: unknown, ref: string): unknown =>
  ref
    .split('/')
    .slice(1)
    .reduce<unknown>((part, name) => z.record(z.string(), z.unknown()).parse(part)[name], document)

const refsIn = (document: unknown): readonly string[] => [
  ...new Set(
    [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].flatMap(([, ref]) => ref ?? []),
  ),
]

describe('docs/protocol/openapi.json', () => {
  const document = z
    .object({
      paths: z.record(z.string(), z.record(z.string(), z.object({ operationId: z.string() }))),
    })
    .parse(documentOf('openapi'))

  test('is OpenAPI 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(
      z.looseObject({}).parse(documentOf('openapi')),
    )
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
    expect(validator.version).toBe('3.1')
  })

  test('has every operation of every route, by a name of its own', () => {
    const told = Object.entries(document.paths).flatMap(([path, on]) =>
      Object.keys(on).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const routes = Object.entries(ROUTES).flatMap(([path, { on }]) =>
      Object.keys(on).map((method) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`),
    )
    expect(told).toEqual(routes)
    const names = Object.values(document.paths).flatMap((on) =>
      Object.values(on).map(({ operationId }) => operationId),
    )
    expect(new Set(names).size).toBe(names.length)
  })

  test('tells what stands for each part of a path that differs', () => {
    for (const [path, route] of Object.entries(ROUTES)) {
      const parts = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name)
      expect([path, Object.keys('params' in route ? route.params : {})]).toEqual([path, parts])
    }
  })

  test.each(refsIn(documentOf('openapi')))('has %s', (ref) => {
    expect(found(documentOf('openapi'), ref)).toBeDefined()
  })
})

describe('docs/protocol/asyncapi.json', () => {
  const operation = z.object({ messages: z.array(z.object({ $ref: z.string() })) })
  const document = z
    .object({
      operations: z.record(z.string(), operation.extend({ reply: operation.optional() })),
    })
    .parse(documentOf('asyncapi'))
  const namesOf = (messages: readonly { readonly $ref: string }[]) =>
    messages.map(({ $ref }) => $ref.replace('#/channels/socket/messages/', ''))

  test('is AsyncAPI 3.0', () => {
    const schema = read(new URL(import.meta.resolve('@asyncapi/specs/schemas/3.0.0.json')))
    // The schema brings that of schemas along.
    const ajv = new Ajv({
      strict: false,
      validateFormats: false,
      meta: false,
      validateSchema: false,
    })
    const validate = ajv.compile(z.looseObject({}).parse(schema))
    validate(documentOf('asyncapi'))
    expect(validate.errors).toBeNull()
  })

  test('has an operation for every message of the client, with its answers, and one for all of the server’s', () => {
    const { tell, ...received } = document.operations
    expect(namesOf(tell?.messages ?? [])).toEqual(typesOf(serverMessage))
    expect(Object.keys(received)).toEqual(typesOf(clientMessage))
    for (const [type, answers] of Object.entries(ANSWERS)) {
      const { messages = [], reply } = received[type] ?? {}
      expect(namesOf(messages)).toEqual([type])
      expect(namesOf(reply?.messages ?? [])).toEqual([...answers, 'error'])
    }
  })

  test.each(refsIn(documentOf('asyncapi')))('has %s', (ref) => {
    expect(found(documentOf('asyncapi'), ref)).toBeDefined()
  })
})
