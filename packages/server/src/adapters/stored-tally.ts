import { z } from 'zod'
import type { Tally } from '../ports.ts'

const storedTally = z.strictObject({
  revision: z.int().positive(),
  numbers: z.record(z.string(), z.int()),
})

export const NO_TALLY: Tally = { revision: 0, numbers: {} }

export const encodeTally = ({ revision, numbers }: Tally): string =>
  JSON.stringify({ revision, numbers })

export const decodeTally = (text: string): Tally => storedTally.parse(JSON.parse(text))

/** The sums after one game more. */
export function addTo({ revision, numbers }: Tally, add: Tally['numbers']): Tally {
  const sums = { ...numbers }
  for (const [name, value] of Object.entries(add)) sums[name] = (sums[name] ?? 0) + value
  return { revision: revision + 1, numbers: sums }
}
