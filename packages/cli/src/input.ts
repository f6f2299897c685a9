import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { getSystemErrorMap } from 'node:util'
import { type GameRecord, parseRecord, type Result, readJgs } from '@junqi/engine'
import type { Streams } from './command.ts'
import { inputFailure } from './failure.ts'

/** How QQ's files begin; a zero byte ends the name of the kind. */
const QQ_HEADER = /^QQGame (JQS|JQL File)\0/
const QQ_HEADER_LENGTH = 16

/** What kind of file of QQ's it is, by its name or else by how it begins; null: none. */
export function qqKindOf(path: string, bytes: Uint8Array): 'jgs' | 'jql' | null {
  if (path.endsWith('.jgs')) return 'jgs'
  if (path.endsWith('.jql')) return 'jql'
  const start = Buffer.from(bytes.subarray(0, QQ_HEADER_LENGTH)).toString('latin1')
  const [, kind] = QQ_HEADER.exec(start) ?? []
  if (kind === undefined) return null
  return kind === 'JQS' ? 'jgs' : 'jql'
}

/** The bytes of a file, or of stdin for `-`. */
export async function readInput(path: string, { stdin }: Streams): Promise<Uint8Array> {
  try {
    return path === '-' ? await buffer(stdin) : await readFile(path)
  } catch (error) {
    throw inputFailure(`cannot read ${path}: ${reasonOf(error)}`)
  }
}

/** Why the system refused, without the call and the path that its own messages hold. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return `${error}`
  const errno = 'errno' in error && typeof error.errno === 'number' ? error.errno : 0
  const [, reason] = getSystemErrorMap().get(errno) ?? []
  return reason ?? error.message
}

/** The record in a file, or in stdin for `-`: JSON, or a `.jgs`. */
export async function readRecord(path: string, streams: Streams): Promise<GameRecord> {
  const bytes = await readInput(path, streams)
  const kind = qqKindOf(path, bytes)
  if (kind === 'jql') throw inputFailure(`${path}: this is a formation; give a record`)
  return kind === 'jgs' ? valueOrFail(path, readJgs(bytes)) : jsonRecord(path, bytes)
}

/** The record that these bytes are as JSON. */
export const jsonRecord = (path: string, bytes: Uint8Array): GameRecord =>
  valueOrFail(path, parseRecord(parseJson(bytes, `${path}: ${NO_RECORD}`)))

/** The value, or the failure that names the file. */
export function valueOrFail<T>(path: string, read: Result<T, string | { message: string }>): T {
  if (read.ok) return read.value
  const { error } = read
  throw inputFailure(`${path}: ${typeof error === 'string' ? error : error.message}`)
}

const NO_RECORD = 'neither JSON nor a .jgs file; give a record'

/** What these bytes are as JSON; `problem` says in a sentence that they are not. */
export function parseJson(bytes: Uint8Array, problem: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw inputFailure(problem)
  }
}

/** The failure of a record at its first illegal action. */
export const illegalAction = (path: string, { n, action }: { n: number; action: string }) =>
  inputFailure(`${path}: action ${n} is illegal: ${action}`)
