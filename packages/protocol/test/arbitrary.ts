import fc from 'fast-check'
import { z } from 'zod'

/** Without it a schema that has a name is but a reference to itself. */
const nameless = z.registry<{ readonly description?: string }>()

/** Values that a schema accepts: of every kind of schema that the messages are made of. */
export function arbitraryOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodObject) return objectOf(schema)
  if (schema instanceof z.ZodRecord) return recordOf(schema)
  if (schema instanceof z.ZodArray) return fc.array(arbitraryOf(schema.element), { maxLength: 3 })
  if (schema instanceof z.ZodNullable) return fc.option(arbitraryOf(schema.unwrap()))
  // A field that may be left out already, of an object whose fields all may.
  if (schema instanceof z.ZodExactOptional) return arbitraryOf(schema.unwrap())
  if (schema instanceof z.ZodUnion) return fc.oneof(...schema.options.map(arbitraryOf))
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options)
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values)
  if (schema instanceof z.ZodTemplateLiteral) return fc.stringMatching(schema._zod.pattern)
  if (schema instanceof z.ZodString) return textOf(schema)
  if (schema instanceof z.ZodNumber) return numberOf(schema)
  if (schema instanceof z.ZodPipe) return lineOf(schema)
  if (schema instanceof z.ZodBoolean) return fc.boolean()
  if (schema instanceof z.ZodNull) return fc.constant(null)
  throw new Error(`no values of ${schema.constructor.name} are made here yet`)
}

function objectOf(schema: z.ZodObject): fc.Arbitrary<unknown> {
  const { shape } = schema
  const fields = Object.entries(shape).map(([name, field]) => {
    const isOptional = field instanceof z.ZodExactOptional
    return { name, isOptional, values: arbitraryOf(isOptional ? field.unwrap() : field) }
  })
  const values = Object.fromEntries(fields.map(({ name, values }) => [name, values]))
  const requiredKeys = fields.filter(({ isOptional }) => !isOptional).map(({ name }) => name)
  const objects = fc.record(values, { requiredKeys, noNullPrototype: true })
  // What fields may be there together is said of the whole.
  const isChecked = (schema.def.checks?.length ?? 0) > 0
  return isChecked ? objects.filter((object) => schema.safeParse(object).success) : objects
}

function recordOf({ keyType, valueType }: z.ZodRecord): fc.Arbitrary<unknown> {
  const key = arbitraryOf(keyType)
    .map(String)
    .filter((name) => name !== '__proto__')
  return fc.dictionary(key, arbitraryOf(valueType), { maxKeys: 4, noNullPrototype: true })
}

function textOf(schema: z.ZodString): fc.Arbitrary<string> {
  const { pattern, minLength = 0, maxLength = 40 } = z.toJSONSchema(schema, { metadata: nameless })
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern))
  return fc.string({ minLength, maxLength })
}

/** Text that is brought into a form as it is read: values that have it already. */
const lineOf = (schema: z.ZodPipe): fc.Arbitrary<unknown> =>
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter((text) => {
    const read = schema.safeParse(text)
    return read.success && read.data === text
  })

function numberOf({ isInt, minValue, maxValue }: z.ZodNumber): fc.Arbitrary<number> {
  const min = minValue ?? Number.MIN_SAFE_INTEGER
  const max = maxValue ?? Number.MAX_SAFE_INTEGER
  if (isInt) return fc.maxSafeInteger().map((number) => Math.min(max, Math.max(min, number)))
  // JSON knows no minus zero.
  return fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0)
}
