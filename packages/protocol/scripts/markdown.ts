import type { Schema } from './json-schema.ts'

const LINE = 96

const cell = (text: string): string => text.replaceAll('|', '\\|')

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map(cell).join(' | ')} |`)
    .join('\n')

export const code = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``

export const folded = (summary: string, text: string): string =>
  `<details><summary>${summary}</summary>\n\n${text}\n\n</details>`

/** JSON in which what fits on a line stands on one. */
export function compactJson(value: unknown, indent = '', before = 0): string {
  const flat = flatJson(value)
  if (typeof value !== 'object' || value === null || before + flat.length <= LINE) return flat
  const inner = `${indent}  `
  const isArray = Array.isArray(value)
  const items = Object.entries(value).map(([key, item]) => {
    const label = isArray ? '' : `${JSON.stringify(key)}: `
    return inner + label + compactJson(item, inner, inner.length + label.length + 1)
  })
  return `${isArray ? '[' : '{'}\n${items.join(',\n')}\n${indent}${isArray ? ']' : '}'}`
}

function flatJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(flatJson).join(', ')}]`
  const items = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}: ${flatJson(item)}`,
  )
  return items.length === 0 ? '{}' : `{ ${items.join(', ')} }`
}

/** Where a type is told of. */
export type HrefOf = (id: string) => string

const onThisPage: HrefOf = (id) => `#${id.toLowerCase()}`

/** What a value may be, in words with links. */
export function typeInWords(schema: Schema, hrefOf: HrefOf = onThisPage): string {
  const { $ref, anyOf, type, items, additionalProperties } = schema
  const inWords = (part: Schema) => typeInWords(part, hrefOf)
  if ($ref !== undefined) return link($ref, hrefOf)
  if (schema.const !== undefined) return `\`"${schema.const}"\``
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`"${value}"\``).join(' ')
  if (anyOf !== undefined) return anyOf.map(inWords).join(' or ')
  if (type === 'array') return `list of ${items === undefined ? 'anything' : inWords(items)}`
  if (type === 'object' && typeof additionalProperties === 'object') {
    return `object whose values are ${inWords(additionalProperties)}`
  }
  if (type === 'object') return fieldsInWords(schema, inWords)
  if (schema.pattern !== undefined) return `text like \`${schema.pattern}\``
  if (type === 'integer') return rangeInWords(schema)
  return [type].flat().map(nameOfType).join(' or ')
}

const nameOfType = (type = 'anything'): string =>
  ({ string: 'text', boolean: 'true or false', null: 'null' })[type] ?? type

function fieldsInWords({ properties = {} }: Schema, inWords: (part: Schema) => string): string {
  const types = new Set(Object.values(properties).map(inWords))
  const names = Object.keys(properties)
  const [only] = types
  if (only !== undefined && types.size === 1) return `{ ${names.join(', ')} } of ${only}`
  return `{ ${names.map((name) => `${name}: ${inWords(properties[name] ?? {})}`).join(', ')} }`
}

function rangeInWords({ exclusiveMinimum = -1, maximum = 0, ...schema }: Schema): string {
  const { minimum = exclusiveMinimum + 1 } = schema
  if (maximum < Number.MAX_SAFE_INTEGER) return `${minimum} to ${maximum}`
  return minimum < 0 ? 'whole number' : `whole number from ${minimum}`
}

const link = (ref: string, hrefOf: HrefOf): string => {
  const name = ref.replace('#/$defs/', '')
  return `[${name}](${hrefOf(name)})`
}

/** The fields of an object, a row each; those apart that were told already. */
export function fieldTable(
  { properties = {}, required = [] }: Schema,
  hrefOf: HrefOf = onThisPage,
  told: readonly string[] = ['type'],
): string {
  const fields = Object.entries(properties).filter(([name]) => !told.includes(name))
  if (fields.length === 0) return 'It has no other field.'
  const rows = fields.map(([name, { description = '', ...field }]) => [
    required.includes(name) ? `\`${name}\`` : `\`${name}\` (optional)`,
    typeInWords(field, hrefOf),
    description,
  ])
  return table(['field', 'what it is', ''], rows)
}
