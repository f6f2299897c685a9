import { isDeepStrictEqual } from 'node:util'

/** What of a value a sentence repeats. */
const SHOWN_LENGTH = 200

/** Where two JSON values differ first and how, in words; null: nowhere. */
export function differenceOf(
  expected: unknown,
  actual: unknown,
  path: readonly string[] = [],
): string | null {
  if (isDeepStrictEqual(expected, actual)) return null
  if (isObject(expected) && isObject(actual) && isArray(expected) === isArray(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      const difference = differenceOf(expected[key], actual[key], [...path, key])
      if (difference !== null) return difference
    }
    return null
  }
  const place = path.length === 0 ? '' : `${path.join('.')}: `
  return `${place}expected ${shown(expected)}, got ${shown(actual)}`
}

const { isArray } = Array

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text
}
