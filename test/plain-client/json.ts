/** JSON as it comes from the wire, and the least there is to read it with. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

export function parseObject(text: string): JsonObject {
  const json: Json = JSON.parse(text)
  if (isObject(json)) return json
  throw new Error(`no object: ${text}`)
}

export const isObject = (json: Json | undefined): json is JsonObject =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

export function stringAt(object: JsonObject, key: string): string {
  const value = object[key]
  return typeof value === 'string' ? value : missing(object, key, 'text')
}

export function numberAt(object: JsonObject, key: string): number {
  const value = object[key]
  return typeof value === 'number' ? value : missing(object, key, 'a number')
}

export function objectAt(object: JsonObject, key: string): JsonObject {
  const value = object[key]
  return isObject(value) ? value : missing(object, key, 'an object')
}

/** The objects in a list. */
export function objectsAt(object: JsonObject, key: string): readonly JsonObject[] {
  const value = object[key]
  return Array.isArray(value) ? value.filter(isObject) : missing(object, key, 'a list')
}

function missing(object: JsonObject, key: string, form: string): never {
  throw new Error(`${key} is not ${form} in ${JSON.stringify(object)}`)
}
