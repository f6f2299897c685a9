import { readFileSync } from 'node:fs'
import {
  ANSWERS,
  CLOSE_CODES,
  COMMON_REFUSALS,
  ERRORS,
  httpStatusOf,
  LIMITS,
  type Operation,
  ROUTES,
} from '@junqi/protocol'
import { examplesOf } from './examples.ts'
import { httpSections, routeTable } from './http-page.ts'
import type { HttpSchemas } from './http-schemas.ts'
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

export function protocolPage(catalogue: Catalogue, http: HttpSchemas): string {
  const { definitions, clientMessages, serverMessages, events } = catalogue
  const section = (folder: string) => (id: string) => messageSection(definitions[id] ?? {}, folder)
  const messages = new Set([...clientMessages, ...serverMessages, ...events])
  const unions = new Set(['ClientMessage', 'ServerMessage', 'Event'])
  const types = Object.keys(definitions).filter((id) => !messages.has(id) && !unions.has(id))
  return filled('protocol.template.md', {
    routes: routeTable(http),
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

export function httpPage(catalogue: Catalogue, http: HttpSchemas): string {
  const codes = COMMON_REFUSALS.map((code) => `\`${code}\` (${httpStatusOf(code)})`)
  const commonRefusals = `${codes.slice(0, -1).join(', ')} and ${codes.at(-1)}`
  return filled('http.template.md', { ...httpSections(http, catalogue), commonRefusals })
}

/** Shows the program of `docs` as it is. */
export const clientPage = (program: string): string =>
  filled('write-a-client.template.md', { program: program.trimEnd() })

function messageSection(schema: Schema, folder: string): string {
  const type = schema.properties?.type?.const ?? ''
  const answers = Object.entries(ANSWERS).find(([known]) => known === type)?.[1]
  const examples = examplesOf(folder, type).map(({ json }) => example(compactJson(json)))
  return [
    `### \`${type}\``,
    schema.description ?? '',
    fieldTable(schema),
    ...(folder === 'client' && answers !== undefined ? [answersInWords(answers)] : []),
    ...examples,
  ].join('\n\n')
}

/** A message of the server may have the name of one of the client. */
const answersInWords = (answers: readonly string[]): string =>
  `Answered by ${answers.map((type) => `\`${type}\``).join(' or ')}, or by \`error\`.`

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
    : `One of: ${schema.oneOf.map((form) => typeInWords(form)).join(', ')}.`

/** The codes that a request or handshake may meet. */
const OVER_HTTP = new Set([
  ...COMMON_REFUSALS,
  ...Object.values(ROUTES).flatMap(({ on }) =>
    Object.values<Operation>(on).flatMap(({ refusals }) => refusals),
  ),
])

const closeCodeTable = (): string =>
  table(
    ['code', 'name', 'again', 'why'],
    Object.entries(CLOSE_CODES).map(([close, { name, retry, text }]) => [close, name, retry, text]),
  )

const errorTable = (): string =>
  table(
    ['code', 'what it means', 'again', 'over HTTP'],
    Object.entries(ERRORS).map(([error, { text, retryable }]) => [
      `\`${error}\``,
      text,
      retryable ? 'yes' : 'no',
      [...OVER_HTTP]
        .filter((code) => code === error)
        .map(httpStatusOf)
        .join(''),
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
