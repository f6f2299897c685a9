import { clientMessage, PROTOCOL, serverMessage, viewedEvent } from '@junqi/protocol'
import { z } from 'zod'

/** As much of JSON Schema as our schemas come to. */
export interface Schema {
  readonly $ref?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly const?: string
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
}

export type Definitions = Readonly<Record<string, Schema>>

/** All messages, and all that they are made of, by name. */
export interface Catalogue {
  /** Whole, as it is published. */
  readonly json: object
  readonly definitions: Definitions
  readonly clientMessages: readonly string[]
  readonly serverMessages: readonly string[]
  readonly events: readonly string[]
}

/** Names the options of a union in the registry that the JSON Schema is made from. */
function name(
  options: typeof clientMessage.options | typeof serverMessage.options | typeof viewedEvent.options,
  nameOf: (type: string) => string,
): readonly string[] {
  return options.map((option) => {
    const id = nameOf(option.shape.type.value)
    z.globalRegistry.add(option, { ...z.globalRegistry.get(option), id })
    return id
  })
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export function makeCatalogue(): Catalogue {
  const clientMessages = name(clientMessage.options, (type) => `${capital(type)}Message`)
  const serverMessages = name(serverMessage.options, (type) => `${capital(type)}Message`)
  const events = name(viewedEvent.options, (type) => `${capital(type)}`)
  const unions = { ClientMessage: clientMessage, ServerMessage: serverMessage, Event: viewedEvent }
  for (const [id, union] of Object.entries(unions)) z.globalRegistry.add(union, { id })
  const made = z.toJSONSchema(z.union([clientMessage, serverMessage]))
  const { $defs, ...rest } = made
  const json = { title: PROTOCOL, ...rest, $defs }
  // What zod writes is JSON Schema; the part of it that is read here is named above.
  const definitions = $defs as unknown as Definitions
  return { json, definitions, clientMessages, serverMessages, events }
}
