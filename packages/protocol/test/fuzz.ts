import { readdirSync, readFileSync } from 'node:fs'
import {
  clientMessage,
  commandId,
  decodeClientMessage,
  decodeServerMessage,
  encodeClientMessage,
  encodeServerMessage,
  serverMessage,
} from '@junqi/protocol'
import fc from 'fast-check'
import { expect } from 'vitest'
import { z } from 'zod'
import { arbitraryOf } from './arbitrary.ts'

const examples = new URL('../examples/client/', import.meta.url)
const frames = readdirSync(examples).map((file) => readFileSync(new URL(file, examples), 'utf8'))
const messages = frames.map((frame) =>
  Object.entries(z.record(z.string(), z.unknown()).parse(JSON.parse(frame))),
)

const oddValue = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(-1, 0.5, 2 ** 53, 1e308, '', '__proto__', 'x'.repeat(2000), [[]], {}),
)

type Fields = readonly (readonly [string, unknown])[]
const mutations: readonly ((fields: Fields, at: number, value: unknown) => Fields)[] = [
  (fields, at) => fields.toSpliced(at, 1),
  (fields, at, value) => fields.toSpliced(at, 0, [JSON.stringify(value), value]),
  (fields, at, value) => fields.with(at, [fields[at]?.[0] ?? '', value]),
]

/** A valid message that lost a field, has one more, or another value in one. */
const mutatedMessage = fc
  .tuple(fc.constantFrom(...messages), fc.nat(), oddValue, fc.constantFrom(...mutations))
  .map(([fields, at, value, mutate]) =>
    JSON.stringify(Object.fromEntries(mutate(fields, at % fields.length, value))),
  )

/** A valid frame in which a few bytes are others. */
const brokenFrame = fc
  .tuple(
    fc.constantFrom(...frames),
    fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }),
  )
  .map(([frame, changes]) => {
    const bytes = new TextEncoder().encode(frame)
    for (const [at, byte] of changes) bytes[at % bytes.length] = byte
    return bytes
  })

const anyFrame: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  fc.uint8Array({ maxLength: 50 }),
  fc.string({ maxLength: 50 }),
  fc.json({ maxDepth: 2 }),
  fc.nat(300).map((depth) => `{"type":"ping","id":${'['.repeat(depth)}${']'.repeat(depth)}}`),
  mutatedMessage,
  brokenFrame,
)

/** Whatever comes in is a message or a coded refusal, and never an exception. */
export function fuzzDecoding(numRuns: number): void {
  fc.assert(fc.property(anyFrame, survives), { numRuns })
}

function survives(frame: string | Uint8Array): void {
  const decoded = decodeClientMessage(frame)
  if (decoded.ok) {
    const again = decodeClientMessage(encodeClientMessage(decoded.value))
    if (!again.ok) throw new Error(`an accepted message was refused: ${again.error.message}`)
    return
  }
  const { code, message, id } = decoded.error
  if (!['bad_json', 'unknown_type', 'bad_message'].includes(code)) throw new Error(code)
  if (message.length > 400) throw new Error('a refusal repeats too much')
  if (id !== null) commandId.parse(id)
  decodeServerMessage(frame)
}

/** What a schema accepts comes over as it was. */
export function fuzzRoundTrips(numRuns: number): void {
  const fromServer = fc.property(arbitraryOf(serverMessage), (value) => {
    const message = serverMessage.parse(value)
    expect(decodeServerMessage(encodeServerMessage(message))).toEqual({ ok: true, value: message })
  })
  const fromClient = fc.property(arbitraryOf(clientMessage), (value) => {
    const message = clientMessage.parse(value)
    expect(decodeClientMessage(encodeClientMessage(message))).toEqual({ ok: true, value: message })
  })
  fc.assert(fromServer, { numRuns })
  fc.assert(fromClient, { numRuns })
}
