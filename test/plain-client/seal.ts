import { createHash } from 'node:crypto'
import { type JsonObject, objectAt } from './json.ts'
import { isSeat, SEATS, type SiguoRecord } from './record.ts'

const DIGEST = /^[0-9a-f]{64}$/

/** What is told under commitments that is none; a commitment itself tells nothing. */
export const problemsOfCommitments = (commitments: JsonObject): readonly string[] =>
  Object.entries(commitments).flatMap(([name, commitment]) => {
    const isSealed = isSeat(name) || name === 'first'
    return isSealed && DIGEST.test(`${commitment}`)
      ? []
      : [`the commitment to ${name} is ${commitment}`]
  })

/** The commitments to a game with these salts (R-SEAL-1). */
export const commitmentsTo = ({ formations, first }: SiguoRecord, salts: JsonObject): JsonObject =>
  Object.fromEntries(
    [...SEATS.map((seat) => [seat, formations[seat]] as const), ['first', first] as const].map(
      ([name, value]) => {
        const salt = Buffer.from(`${salts[name]}`, 'hex')
        const text = `junqi-seal/1 ${name} ${value}`
        return [name, createHash('sha256').update(salt).update(text).digest('hex')]
      },
    ),
  )

/** The salts that a record gives out. */
export const saltsIn = (record: JsonObject): JsonObject =>
  objectAt(objectAt(record, 'seal'), 'salts')
