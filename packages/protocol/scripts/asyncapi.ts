import { ANSWERS, clientMessage, PROTOCOL, serverMessage } from '@junqi/protocol'
import { z } from 'zod'
import { examplesOf } from './examples.ts'
import type { Catalogue, Schema } from './json-schema.ts'

const DESCRIPTION = `What clients and a Junqi server say to each other over a WebSocket: each message is one JSON object in one text frame. Every message of a client has an id, and gets exactly one answer whose re is that id. Of what the server says a client ignores what it does not know. protocol.md tells of it in prose, openapi.json of the HTTP side, where a player gets its token.`

const CHANNEL = '#/channels/socket'
const inChannel = (type: string) => ({ $ref: `${CHANNEL}/messages/${type}` })

/** The AsyncAPI 3 document of the socket, told as what the server does. */
export function asyncApi(catalogue: Catalogue): object {
  const clients = messagesOf(catalogue, catalogue.clientMessages, 'client')
  const servers = messagesOf(catalogue, catalogue.serverMessages, 'server')
  const messages = { ...clients, ...servers }
  const document = {
    asyncapi: '3.0.0',
    info: {
      title: 'Junqi server',
      version: PROTOCOL,
      description: DESCRIPTION,
      license: { name: 'MIT' },
    },
    defaultContentType: 'application/json',
    servers: {
      local: {
        host: '127.0.0.1:8080',
        protocol: 'ws',
        description: 'As npm start serves it; behind TLS the protocol is wss.',
        security: [{ $ref: '#/components/securitySchemes/token' }],
      },
    },
    channels: {
      socket: {
        address: '/v1/ws',
        description: `The subprotocol is ${PROTOCOL}.`,
        messages: Object.fromEntries(
          Object.keys(messages).map((type) => [type, { $ref: `#/components/messages/${type}` }]),
        ),
        bindings: { ws: { method: 'GET', bindingVersion: '0.1.0' } },
      },
    },
    operations: {
      ...Object.fromEntries(Object.keys(clients).map((type) => [type, receiving(type)])),
      tell: {
        action: 'send',
        channel: { $ref: CHANNEL },
        summary: 'What the server says, as an answer or unasked.',
        messages: Object.keys(servers).map(inChannel),
      },
    },
    components: {
      messages,
      schemas: schemasOf(),
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: `The token that POST /v1/guests told; pages send it as a second subprotocol, bearer.<token>.`,
        },
      },
    },
  }
  return document
}

function receiving(type: string): object {
  const accepted = Object.entries(ANSWERS).find(([known]) => known === type)?.[1] ?? []
  return {
    action: 'receive',
    channel: { $ref: CHANNEL },
    messages: [inChannel(type)],
    reply: { channel: { $ref: CHANNEL }, messages: [...accepted, 'error'].map(inChannel) },
  }
}

function messagesOf(
  { definitions }: Catalogue,
  ids: readonly string[],
  folder: 'client' | 'server',
): Readonly<Record<string, object>> {
  const messages = ids.map((id) => {
    const { properties, description = '' }: Schema = definitions[id] ?? {}
    const type = properties?.type?.const ?? ''
    const message = {
      name: type,
      summary: description,
      payload: { $ref: `#/components/schemas/${id}` },
      examples: examplesOf(folder, type).map(({ name, json }) => ({ name, payload: json })),
    }
    return [type, message] as const
  })
  return Object.fromEntries(messages)
}

/** AsyncAPI's schemas are those of draft 7. Needs the names that `makeCatalogue` gives to messages. */
function schemasOf(): object {
  const { definitions } = z.toJSONSchema(z.union([clientMessage, serverMessage]), {
    target: 'draft-7',
  })
  return JSON.parse(
    JSON.stringify(definitions).replaceAll('"#/definitions/', '"#/components/schemas/'),
  )
}
