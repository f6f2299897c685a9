import type { Link } from './link.ts'
import { textOf } from './reply.ts'

/** What INFO says: names and values. */
export type ServerInfo = ReadonlyMap<string, string>

/** Of each server that takes writes. */
export async function readInfo(link: Link): Promise<readonly ServerInfo[]> {
  return (await link.sendToMasters('INFO')).map((reply) => parseInfo(textOf(reply)))
}

export function parseInfo(text: string): ServerInfo {
  const lines = text.split('\r\n').map((line) => line.split(':'))
  return new Map(lines.map(([name = '', ...value]) => [name, value.join(':')]))
}
