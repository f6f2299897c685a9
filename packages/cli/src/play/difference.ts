/** What of a value a sentence repeats. */
const SHOWN_LENGTH = 200

/** Where two JSON values differ first and how, in words; null: nowhere. */
export function differenceOf(expected: unknown, actual: unknown): string | null {
  const difference = firstDifference(expected, actual)
  if (difference === null) return null
  const place = difference.path.length === 0 ? '' : `${difference.path.join('.')}: `
  return `${place}expected ${shown(difference.expected)}, got ${shown(difference.actual)}`
}

interface Difference {
  readonly path: readonly string[]
  readonly expected: unknown
  readonly actual: unknown
}

function firstDifference(expected: unknown, actual: unknown): Difference | null {
  if (Object.is(expected, actual)) return null
  if (!isObject(expected) || !isObject(actual) || isArray(expected) !== isArray(actual)) {
    return { path: [], expected, actual }
  }
  for (const key of keysOf(expected, actual)) {
    const difference = firstDifference(expected[key], actual[key])
    if (difference !== null) return { ...difference, path: [key, ...difference.path] }
  }
  return null
}

const { isArray } = Array

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

function keysOf(expected: object, actual: object): readonly string[] {
  const keys = Object.keys(expected)
  const more = Object.keys(actual).filter((key) => !Object.hasOwn(expected, key))
  return more.length === 0 ? keys : [...keys, ...more]
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text
}
