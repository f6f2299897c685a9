export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Which key is missing from an object, or that it has one too many; null: its keys are right. */
export function problemOfKeys(
  what: string,
  json: JsonObject,
  keys: readonly string[],
  optional: readonly string[] = [],
): string | null {
  const missing = keys.find((key) => !Object.hasOwn(json, key))
  if (missing !== undefined) return `${what} must have the key ${missing}`
  const known = [...keys, ...optional]
  const extra = Object.keys(json).find((key) => !known.includes(key))
  return extra === undefined ? null : `${what} must have no key but ${known.join(', ')}`
}
