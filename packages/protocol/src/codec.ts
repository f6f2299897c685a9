import { type Brand, err, InvariantError, ok, type Result } from '@junqi/engine'
import type { z } from 'zod'
import { type ClientMessage, clientMessage } from './client-message.ts'
import type { ErrorCode } from './error-code.ts'
import { type CommandId, commandId } from './ids.ts'
import { readAs, shortened } from './read-as.ts'
import { readKnown } from './read-known.ts'
import { type ServerMessage, serverMessage } from './server-message.ts'

/** The text of one frame, made by this codec alone. */
export type EncodedMessage = Brand<string, 'EncodedMessage'>

/** Why a frame is no message. `id` is the command's, where one could be read, so that a reply can name it. */
export interface DecodeError {
  readonly code: Extract<ErrorCode, 'bad_json' | 'unknown_type' | 'bad_message'>
  /** One sentence: the field and what would be right. */
  readonly message: string
  readonly id: CommandId | null
}

// In browsers and in Node alike, but in none of the libraries that this package compiles against.
declare const TextDecoder: new (
  label: 'utf-8',
  options: { readonly fatal: true; readonly ignoreBOM: true },
) => { decode(bytes: Uint8Array): string }

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

type Schemas<T> = ReadonlyMap<string, z.ZodType<T>>

const clientMessages: Schemas<ClientMessage> = new Map(
  clientMessage.options.map((schema) => [schema.shape.type.value, schema]),
)
const serverMessages: Schemas<ServerMessage> = new Map(
  serverMessage.options.map((schema) => [schema.shape.type.value, schema]),
)

let strict = true

/** Whether outgoing messages are parsed by their schemas first. A server in production turns it off, once, at its start. */
export function strictEncoding(on: boolean): void {
  strict = on
}

/** Reads one frame of a client. Never throws, whatever the bytes. */
export function decodeClientMessage(raw: string | Uint8Array): Result<ClientMessage, DecodeError> {
  return decode(raw, clientMessages)
}

/** Reads one frame of a server. Never throws. A type that this version does not know is `unknown`, to be ignored. */
export function decodeServerMessage(
  raw: string | Uint8Array,
): Result<ServerMessage | { readonly type: 'unknown' }, DecodeError> {
  const decoded = decode(raw, serverMessages)
  if (!decoded.ok && decoded.error.code === 'unknown_type') return ok({ type: 'unknown' })
  return decoded
}

/** The same for a client, which may be older than the server: it passes over fields and types of items that it does not know. */
export function readServerMessage(raw: string): ReturnType<typeof decodeServerMessage> {
  const decoded = decodeServerMessage(raw)
  if (decoded.ok || decoded.error.code !== 'bad_message') return decoded
  const json = parseObject(raw)
  const schema = serverMessages.get(String(json?.type))
  const known = schema === undefined ? null : readKnown(schema, json)
  return known === null ? decoded : ok(known)
}

/** The frame of a server's message. While `strictEncoding` is on, one that its schema refuses throws an InvariantError. */
export function encodeServerMessage(message: ServerMessage): EncodedMessage {
  if (strict) checkOutgoing(message)
  return JSON.stringify(message) as EncodedMessage
}

/** The same message with `re`, for the connection whose command it answers. The message has none yet. */
export function asReplyTo(re: CommandId, frame: EncodedMessage): EncodedMessage {
  // An id needs no escapes, and a frame is an object with at least its type.
  return `{"re":"${re}",${frame.slice(1)}` as EncodedMessage
}

/** The frame of a client's message. The server checks it, and says what would be right. */
export function encodeClientMessage(message: ClientMessage): EncodedMessage {
  return JSON.stringify(message) as EncodedMessage
}

function checkOutgoing(message: ServerMessage): void {
  const read = readAs(serverMessage, message.type, message)
  if (!read.ok) throw new InvariantError(read.error)
}

function decode<T>(raw: string | Uint8Array, schemas: Schemas<T>): Result<T, DecodeError> {
  const json = parseObject(raw)
  if (json === null) {
    return err({ code: 'bad_json', message: 'A frame is one JSON object in UTF-8.', id: null })
  }
  const type = json.type
  if (typeof type !== 'string') {
    return bad(json, 'bad_message', 'A message has a "type", which is text.')
  }
  const schema = schemas.get(type)
  if (schema === undefined) {
    const known = [...schemas.keys()].join(', ')
    return bad(json, 'unknown_type', `The type of a message is one of ${known}.`)
  }
  const spoiled = fieldWithPrototype(json)
  if (spoiled !== null) {
    return bad(json, 'bad_message', `${type}.${shortened(spoiled)} has no field __proto__.`)
  }
  const read = readAs(schema, type, json)
  return read.ok ? read : bad(json, 'bad_message', read.error)
}

const bad = (json: Json, code: DecodeError['code'], message: string): Result<never, DecodeError> =>
  err({ code, message, id: commandId.safeParse(json.id).data ?? null })

type Json = Readonly<Record<string, unknown>>

/** A field whose value has a `__proto__` of its own, which a schema of a record would pass over in silence; null: none has. */
function fieldWithPrototype(json: Json): string | null {
  for (const field in json) {
    const value = json[field]
    if (typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__'))
      return field
  }
  return null
}

/** The JSON object in a frame; null for anything else. Of a key that stands twice the last counts. */
function parseObject(raw: string | Uint8Array): Json | null {
  try {
    const json: unknown = JSON.parse(typeof raw === 'string' ? raw : utf8.decode(raw))
    const isObject = typeof json === 'object' && json !== null && !Array.isArray(json)
    return isObject ? (json as Json) : null
  } catch {
    return null
  }
}
