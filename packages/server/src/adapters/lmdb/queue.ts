import type { QueueRecord } from '../../ports.ts'
import { decodeQueued, QueueTable, type Texts } from '../queue-table.ts'
import type { Batch, Committed, Reader } from './batch.ts'
import { KEYS } from './codec.ts'

/** The queue as a transaction changes it. */
export const queueIn = (batch: Batch): QueueTable =>
  tableOf(batch, {
    put: (key, text) => batch.put(key, text),
    remove: (key) => batch.remove(key),
  })

/** The queue as it is committed, for looking. */
export const queueOf = (tree: Reader): QueueTable => tableOf(tree, { put: refuse, remove: refuse })

/** All of it. */
export function readQueue(tree: Committed) {
  const tickets: QueueRecord[] = []
  const matches: QueueRecord[] = []
  for (const { key, value } of tree.range(KEYS.match(''))) {
    const isTicket = key.startsWith(KEYS.ticket(''))
    if (!isTicket && !key.startsWith(KEYS.match(''))) break
    ;(isTicket ? tickets : matches).push(decodeQueued(key.slice(2), value))
  }
  return { tickets, matches }
}

function tableOf(reader: Reader, { put, remove }: Pick<Texts, 'put' | 'remove'>): QueueTable {
  const texts = (keyOf: (key: string) => string): Texts => ({
    get: (key) => reader.get(keyOf(key)),
    put: (key, text) => put(keyOf(key), text),
    remove: (key) => remove(keyOf(key)),
  })
  const { ticket, match, waiting } = KEYS
  return new QueueTable({
    tickets: texts(ticket),
    matches: texts(match),
    waiting: texts(waiting),
  })
}

function refuse(): void {
  throw new Error('what is committed is changed by transactions only')
}
