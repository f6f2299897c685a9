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

/** What a value may be, in words with links. */
export function typeInWords(schema: Schema): string {
  const { $ref, anyOf, type, items, additionalProperties } = schema
  if ($ref !== undefined) return link($ref)
  if (schema.const !== undefined) return `\`"${schema.const}"\``
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`"${value}"\``).join(' ')
  if (anyOf !== undefined) return anyOf.map(typeInWords).join(' or ')
  if (type === 'array') return `list of ${items === undefined ? 'anything' : typeInWords(items)}`
  if (type === 'object' && typeof additionalProperties === 'object') {
    return `object whose values are ${typeInWords(additionalProperties)}`
  }
  if (type === 'object') return fieldsInWords(schema)
  if (schema.pattern !== undefined) return `text like \`${schema.pattern}\``
  if (type === 'integer') return rangeInWords(schema)
  return { string: 'text', boolean: 'true or false', null: 'null' }[type ?? ''] ?? `${type}`
}

function fieldsInWords({ properties = {} }: Schema): string {
  const types = new Set(Object.values(properties).map(typeInWords))
  const names = Object.keys(properties)
  const [only] = types
  if (only !== undefined && types.size === 1) return `{ ${names.join(', ')} } of ${only}`
  return `{ ${names.map((name) => `${name}: ${typeInWords(properties[name] ?? {})}`).join(', ')} }`
}

function rangeInWords({ minimum = 0, maximum = 0 }: Schema): string {
  if (maximum < Number.MAX_SAFE_INTEGER) return `${minimum} to ${maximum}`
  return minimum < 0 ? 'whole number' : `whole number from ${minimum}`
}

const link = (ref: string): string => {
  const name = ref.replace('#/$defs/', '')
  return `[${name}](#${name.toLowerCase()})`
}

/** The fields of an object, a row each; `type` apart. */
export function fieldTable({ properties = {}, required = [] }: Schema): string {
  const fields = Object.entries(properties).filter(([name]) => name !== 'type')
  if (fields.length === 0) return 'It has no other field.'
  const rows = fields.map(([name, { description = '', ...field }]) => [
    required.includes(name) ? `\`${name}\`` : `\`${name}\` (optional)`,
    typeInWords(field),
    description,
  ])
  return table(['field', 'what it is', ''], rows)
}
