import type { z } from 'zod'

type Path = readonly PropertyKey[]

/** What a value has to be: a schema of this package. */
export type Form<Answer> = z.ZodType<Answer>

/**
 * The value in its form, without what the form does not know of: fields, and items of a list whose type is another. So a
 * client understands a server that is newer than itself. null: it is not in its form for another reason.
 */
export function readKnown<Answer>(schema: Form<Answer>, value: unknown): Answer | null {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const unknown = unknownIn(parsed.error.issues)
  // Each time it has less in it, so this ends.
  return unknown === null ? null : readKnown(schema, without(value, unknown))
}

/** Where what is not known stands; null: something else is wrong as well. */
function unknownIn(issues: readonly z.core.$ZodIssue[]): readonly Path[] | null {
  const paths = issues.map(pathsOf)
  return paths.every((path) => path !== null) ? paths.flat() : null
}

function pathsOf(issue: z.core.$ZodIssue): readonly Path[] | null {
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => [...issue.path, key])
    case 'invalid_union': {
      if (issue.errors.length === 0) return itemOf(issue)
      const inOption = issue.errors.map(unknownIn).find((paths) => paths !== null)
      return inOption?.map((path) => [...issue.path, ...path]) ?? null
    }
    default:
      return null
  }
}

/** The item of a list that has a type which is not known. */
function itemOf({ path }: z.core.$ZodIssue): readonly Path[] | null {
  const item = path.slice(0, -1)
  return typeof item.at(-1) === 'number' ? [item] : null
}

function without(value: unknown, paths: readonly Path[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  const left = Object.entries(value).flatMap(([key, part]) => {
    const inside = paths.filter(([first]) => String(first) === key).map(([, ...rest]) => rest)
    return inside.some(({ length }) => length === 0) ? [] : [[key, without(part, inside)] as const]
  })
  return Array.isArray(value) ? left.map(([, part]) => part) : Object.fromEntries(left)
}
