import { err, ok, type Result } from '@junqi/engine'
import { z } from 'zod'

/**
 * The value in its form; else one sentence that names the field, as `name` has it, and what would be right. Everything
 * that a client sends is refused in these words, over sockets and HTTP alike. They repeat no value: it may be a secret.
 */
export function readAs<Form extends z.ZodType>(
  schema: Form,
  name: string,
  value: unknown,
): Result<z.output<Form>, string> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return ok(parsed.data)
  // Read once more for the words: to have them at hand from the start costs each good frame several times its reading.
  const issues = schema.safeParse(value, { error: wordsOf }).error?.issues ?? []
  return err(sentenceOf(name, issues))
}

function sentenceOf(name: string, issues: readonly z.core.$ZodIssue[]): string {
  // A field that is misspelt is missing as well: how it is spelt tells more.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
  if (issue === undefined) return `${name}: not of its form.`
  const path = issue.path.join('.')
  const field = path === '' ? name : `${name}.${shortened(path)}`
  if (issue.code === 'unrecognized_keys') return `${field} ${issue.message}.`
  if (issue.message.startsWith(MISSING)) return `${field} ${issue.message}.`
  const right = issue.message.replace(/^(?:Invalid (?:input|option)|Too (?:big|small)): /, '')
  return `${field}: ${right}.`
}

const MISSING = 'is missing'

/** Of what neither the schema nor the library has good words for. */
function wordsOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `${MISSING}: expected ${kindOf(issue.expected)}`
        : `expected ${kindOf(issue.expected)}${insteadOf(issue.input)}`
    case 'invalid_value':
      return issue.input === undefined ? `${MISSING}: ${oneOf(issue.values)}` : undefined
    case 'too_big':
      return `expected ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${unitOf(issue.origin)}`
    case 'too_small':
      return `expected ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${unitOf(issue.origin)}`
    case 'unrecognized_keys':
      return `has no field ${shortened(issue.keys[0] ?? '')}; ${fieldsOf(issue.inst)}`
    case 'invalid_union':
      return Array.isArray(issue.options) ? oneOf(issue.options) : undefined
    case 'invalid_key':
      return issue.issues[0]?.message
    default:
      return undefined
  }
}

/** The library's names of types, in the words of the documents: not everybody writes JavaScript. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'whole number',
  nan: 'no number',
  boolean: 'true or false',
  record: 'object',
  array: 'list',
}

const kindOf = (type: string): string => KINDS[type] ?? type

/** Nothing of half a number or an infinite one, for which "number" would be no explanation. */
function insteadOf(input: unknown): string {
  const isWhole = typeof input !== 'number' || Number.isInteger(input)
  return isWhole ? `, received ${kindOf(z.core.util.parsedType(input))}` : ''
}

const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' }

const unitOf = (origin: string): string => UNITS[origin] ?? ''

function fieldsOf(schema: unknown): string {
  const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  return fields.length === 0 ? 'it has none' : `its fields are ${fields.join(', ')}`
}

const oneOf = (values: readonly unknown[]): string =>
  `expected ${values.length === 1 ? '' : 'one of '}${values.map((value) => JSON.stringify(value)).join('|')}`

/** What a client wrote, as much of it as an answer repeats. */
export const shortened = (text: string): string =>
  text.length > 40 ? `${text.slice(0, 40)}…` : text
