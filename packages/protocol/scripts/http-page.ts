import { httpStatusOf, type Operation } from '@junqi/protocol'
import type { HttpOperation, HttpSchemas } from './http-schemas.ts'
import type { Catalogue, Schema } from './json-schema.ts'
import { fieldTable, type HrefOf, table, typeInWords } from './markdown.ts'

const titleOf = ({ method, path }: HttpOperation): string =>
  `${method} ${path.replace(/:(\w+)/g, '<$1>')}`

/** As readers of Markdown make an anchor of a title. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replace(/\s/g, '-')

/** All routes, one on a line, with links to what docs/http.md tells of each. */
export const routeTable = ({ operations }: HttpSchemas): string =>
  table(
    ['over HTTP', ''],
    operations.map((each) => [
      `[\`${titleOf(each)}\`](http.md#${anchorOf(titleOf(each))})`,
      each.operation.text,
    ]),
  )

/** The parts of docs/http.md that follow from the table of routes. */
export function httpSections(
  { operations, definitions }: HttpSchemas,
  catalogue: Catalogue,
): { readonly routes: string; readonly types: string } {
  const own = Object.entries(definitions).filter(([id]) => catalogue.definitions[id] === undefined)
  const isOwn = new Set(own.map(([id]) => id))
  const hrefOf: HrefOf = (id) => `${isOwn.has(id) ? '' : 'protocol.md'}#${id.toLowerCase()}`
  return {
    routes: operations.map((each) => operationSection(each, hrefOf)).join('\n\n'),
    types: own.map(([id, schema]) => typeSection(id, schema, hrefOf)).join('\n\n'),
  }
}

const ASKERS: Readonly<Record<Operation['asks'], string>> = {
  anyone: 'For anyone.',
  viewer: 'For anyone; who brings a token is told what this player may know.',
  player: 'With a token.',
}

function operationSection(each: HttpOperation, hrefOf: HrefOf): string {
  const { operation, params, query, body, answer } = each
  const headers = Object.entries(operation.headers ?? {})
  const given = [
    ...Object.entries(params).map(([name, text]) => [`\`<${name}>\``, 'text', text]),
    ...query.map(({ name, required, schema: { description = '', ...schema } }) => [
      `\`?${name}=\`${required ? '' : ' (optional)'}`,
      typeInWords(schema, hrefOf),
      description,
    ]),
    ...headers.map(([name, text]) => [`\`${name}:\` (optional)`, 'text', text]),
  ]
  const parts = [
    `### \`${titleOf(each)}\``,
    operation.text,
    ASKERS[operation.asks],
    given.length === 0 ? null : table(['in the request', 'what it is', ''], given),
    body === null ? null : bodyInWords('The body', body, hrefOf),
    bodyInWords(`Answer: ${operation.status}`, answer, hrefOf),
    refusalsInWords(operation),
  ]
  return parts.filter((part) => part !== null).join('\n\n')
}

function bodyInWords(label: string, body: Schema | 'bytes' | null, hrefOf: HrefOf): string {
  if (body === null) return `**${label}**, without a body.`
  if (body === 'bytes') return `**${label}**, bytes (\`application/octet-stream\`).`
  if (body.properties !== undefined)
    return `**${label}**, an object.\n\n${fieldTable(body, hrefOf, [])}`
  const forms = body.oneOf ?? body.anyOf
  return forms === undefined
    ? `**${label}**: ${typeInWords(body, hrefOf)}.`
    : `**${label}**, one of:\n\n${forms.map((form) => fieldTable(form, hrefOf, [])).join('\n\n')}`
}

function refusalsInWords({ refusals }: Operation): string | null {
  if (refusals.length === 0) return null
  const codes = refusals.map((code) => `\`${code}\` (${httpStatusOf(code)})`)
  return `Refused, besides what all have in common, with ${codes.join(', ')}.`
}

function typeSection(id: string, schema: Schema, hrefOf: HrefOf): string {
  const forms = schema.oneOf ?? schema.anyOf ?? [schema]
  const tables = forms.map((form) => fieldTable(form, hrefOf, []))
  return [`### ${id}`, schema.description, ...tables]
    .filter((part) => part !== undefined)
    .join('\n\n')
}
