import { readdirSync, readFileSync } from 'node:fs'

const root = new URL('../examples/', import.meta.url)

/** An example of a message or event, and the name of its file. */
interface Example {
  readonly name: string
  readonly json: unknown
}

/** All examples of a type, the plain one first: `move.json`, `move-….json`. */
export const examplesOf = (folder: string, type: string): readonly Example[] =>
  readdirSync(new URL(`${folder}/`, root))
    .filter((file) => file === `${type}.json` || file.startsWith(`${type}-`))
    .sort((one, other) => one.length - other.length)
    .map((file) => ({
      name: file.replace('.json', ''),
      json: JSON.parse(readFileSync(new URL(`${folder}/${file}`, root), 'utf8')),
    }))
