import {
  type BodyForm,
  COMMON_REFUSALS,
  type ErrorCode,
  httpError,
  httpStatusOf,
  type Operation,
  ROUTES,
  type Route,
} from '@junqi/protocol'
import { z } from 'zod'
import type { Definitions, Schema } from './json-schema.ts'

/** A route's operation with all that is told of it, as JSON Schema. */
export interface HttpOperation {
  readonly path: string
  readonly method: string
  readonly operation: Operation
  readonly params: Readonly<Record<string, string>>
  readonly query: readonly QueryField[]
  readonly body: Schema | 'bytes' | null
  readonly answer: Schema | 'bytes' | null
  readonly refusals: Refusals
}

/** A name that may stand after the `?`. */
export interface QueryField {
  readonly name: string
  readonly required: boolean
  readonly schema: Schema
}

/** The codes of refusals by their HTTP status. */
export type Refusals = ReadonlyMap<number, readonly ErrorCode[]>

/** All routes, and all that their bodies are made of, by name. References are to `#/$defs/`. */
export interface HttpSchemas {
  readonly operations: readonly HttpOperation[]
  readonly httpError: Schema
  readonly definitions: Definitions
}

/** What forms become on one side: what is sent may lack what has a default. */
class Side {
  readonly #schemas = new Map<z.ZodType, Schema>()
  readonly definitions: Definitions

  constructor(forms: readonly z.ZodType[], io: 'input' | 'output') {
    const made = z.toJSONSchema(z.union(forms), { io })
    // What zod writes is JSON Schema; the part of it that is read here is named in json-schema.ts.
    const { anyOf = [], $defs = {} } = made as unknown as Schema & { $defs?: Definitions }
    for (const [n, form] of forms.entries()) this.#schemas.set(form, anyOf[n] ?? {})
    this.definitions = $defs
  }

  of(form: z.ZodType): Schema {
    return this.#schemas.get(form) ?? {}
  }

  ofBody(form: BodyForm | null | undefined): Schema | 'bytes' | null {
    if (form === 'bytes') return form
    return form === null || form === undefined ? null : this.of(form)
  }
}

interface Named extends Route {
  readonly path: string
}

/** Needs the names that `makeCatalogue` gives to messages. */
export function makeHttpSchemas(): HttpSchemas {
  const routes: readonly Named[] = Object.entries(ROUTES).map(([path, route]) => ({
    path,
    ...route,
  }))
  const operations = routes.flatMap(({ on }) => Object.values(on))
  const asked = [...routes.map(({ query }) => query), ...operations.map(({ body }) => body)]
  const told = [...operations.map(({ answer }) => answer), httpError]
  const [sent, answered] = [new Side(formsOf(asked), 'input'), new Side(formsOf(told), 'output')]
  return {
    operations: routes.flatMap((route) => operationsOf(route, sent, answered)),
    httpError: answered.of(httpError),
    definitions: merged(sent.definitions, answered.definitions),
  }
}

const formsOf = (forms: readonly (BodyForm | null | undefined)[]): readonly z.ZodType[] => [
  ...new Set(forms.filter((form) => form instanceof z.ZodType)),
]

function operationsOf(
  { path, on, params = {}, query }: Named,
  sent: Side,
  answered: Side,
): readonly HttpOperation[] {
  return Object.entries(on).map(([method, operation]) => ({
    path,
    method,
    operation,
    params,
    query: query === undefined ? [] : fieldsOf(sent.of(query)),
    body: sent.ofBody(operation.body),
    answer: answered.ofBody(operation.answer),
    refusals: refusalsOf(operation),
  }))
}

/** The names of a query; where it has one of several forms, those of all of them. */
function fieldsOf(schema: Schema): readonly QueryField[] {
  const forms = schema.oneOf ?? schema.anyOf ?? [schema]
  const names = new Set(forms.flatMap(({ properties = {} }) => Object.keys(properties)))
  return [...names].map((name) => ({
    name,
    required: forms.every(({ required = [] }) => required.includes(name)),
    schema: oneOf(forms.flatMap(({ properties }) => properties?.[name] ?? [])),
  }))
}

/** What is in the same form everywhere is in this form; words that differ are a choice. */
function oneOf(schemas: readonly Schema[]): Schema {
  const [first = {}] = schemas
  const words = schemas.flatMap((schema) => schema.const ?? [])
  return new Set(words).size > 1 ? { type: 'string', enum: words } : first
}

/** Health is asked of no door, and refused for one reason. */
const isHealth = ({ answer }: Operation): boolean => answer === ROUTES['/readyz'].on.GET.answer

function refusalsOf(operation: Operation): Refusals {
  const common = isHealth(operation) ? (['unavailable'] as const) : COMMON_REFUSALS
  const codes = [...operation.refusals, ...common]
  const statuses = [...new Set(codes.map(httpStatusOf))].sort((a, b) => a - b)
  return new Map(
    statuses.map((status) => [
      status,
      [...new Set(codes.filter((code) => httpStatusOf(code) === status))],
    ]),
  )
}

function merged(one: Definitions, other: Definitions): Definitions {
  for (const [id, schema] of Object.entries(one)) {
    const same = other[id] === undefined || JSON.stringify(other[id]) === JSON.stringify(schema)
    if (!same) throw new Error(`${id} is one thing as it is sent, and another as it is answered`)
  }
  const all = Object.entries({ ...one, ...other })
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)))
}
