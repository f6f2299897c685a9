import { readdirSync, readFileSync } from 'node:fs'
import { CLOSE_CODES, ERRORS, LIMITS } from '@junqi/protocol'
import type { Catalogue, Schema } from './json-schema.ts'
import { code, compactJson, fieldTable, folded, table, typeInWords } from './markdown.ts'

const packageRoot = new URL('../', import.meta.url)
const FOLDED_LINES = 40

const LIMIT_TEXTS: Readonly<Record<keyof typeof LIMITS, string>> = {
  frameBytes: 'bytes of a frame from a client',
  nameLength: "characters of a player's name",
  subscriptions: 'rooms that one connection may be subscribed to',
  rememberedCommands: 'accepted command ids that are remembered of a player in a room',
}

export function protocolPage(catalogue: Catalogue): string {
  const { definitions, clientMessages, serverMessages, events } = catalogue
  const section = (folder: string) => (id: string) => messageSection(definitions[id] ?? {}, folder)
  const messages = new Set([...clientMessages, ...serverMessages, ...events])
  const unions = new Set(['ClientMessage', 'ServerMessage', 'Event'])
  const types = Object.keys(definitions).filter((id) => !messages.has(id) && !unions.has(id))
  return filled('protocol.template.md', {
    transcript: read('scripts/transcript.txt').trimEnd(),
    closeCodes: closeCodeTable(),
    limits: limitTable(),
    rememberedCommands: String(LIMITS.rememberedCommands),
    clientMessages: clientMessages.map(section('client')).join('\n\n'),
    serverMessages: serverMessages.map(section('server')).join('\n\n'),
    events: events.map(section('events')).join('\n\n'),
    types: types
      .sort()
      .map((id) => typeSection(id, catalogue))
      .join('\n\n'),
  })
}

export const errorsPage = (): string =>
  filled('errors.template.md', { errors: errorTable(), closeCodes: closeCodeTable() })

function messageSection(schema: Schema, folder: string): string {
  const type = schema.properties?.type?.const ?? ''
  return [
    `### \`${type}\``,
    schema.description ?? '',
    fieldTable(schema),
    ...examples(folder, type),
  ].join('\n\n')
}

/** All examples of a type: `move.json`, `move-….json`. */
function examples(folder: string, type: string): readonly string[] {
  return readdirSync(new URL(`examples/${folder}/`, packageRoot))
    .filter((file) => file === `${type}.json` || file.startsWith(`${type}-`))
    .sort((one, other) => one.length - other.length)
    .map((file) => example(compactJson(JSON.parse(read(`examples/${folder}/${file}`)))))
}

function example(json: string): string {
  const block = code('json', json)
  return json.split('\n').length > FOLDED_LINES ? folded('Example', block) : block
}

function typeSection(id: string, { definitions }: Catalogue): string {
  const schema = definitions[id] ?? {}
  const content = schema.properties === undefined ? inWords(schema) : fieldTable(schema)
  return [`### ${id}`, schema.description, content]
    .filter((part) => part !== undefined)
    .join('\n\n')
}

const inWords = (schema: Schema): string =>
  schema.oneOf === undefined
    ? `It is ${typeInWords(schema)}.`
    : `One of: ${schema.oneOf.map(typeInWords).join(', ')}.`

const closeCodeTable = (): string =>
  table(
    ['code', 'name', 'again', 'why'],
    Object.entries(CLOSE_CODES).map(([close, { name, retry, text }]) => [close, name, retry, text]),
  )

const errorTable = (): string =>
  table(
    ['code', 'what it means', 'again'],
    Object.entries(ERRORS).map(([error, { text, retryable }]) => [
      `\`${error}\``,
      text,
      retryable ? 'yes' : 'no',
    ]),
  )

const limitTable = (): string =>
  table(
    ['limit', 'value', ''],
    Object.entries(LIMIT_TEXTS).map(([limit, text]) => [
      `\`${limit}\``,
      String(Object.entries(LIMITS).find(([name]) => name === limit)?.[1]),
      text,
    ]),
  )

function filled(template: string, parts: Readonly<Record<string, string>>): string {
  return read(`scripts/${template}`).replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const part = parts[name]
    if (part === undefined) throw new Error(`${template} asks for ${name}, which nobody makes`)
    return part
  })
}

const read = (path: string): string => readFileSync(new URL(path, packageRoot), 'utf8')
