import { PARTITIONS } from './keys.ts'
import type { Ranked } from './reply.ts'

export interface Found extends Ranked {
  readonly partition: number
}

type Order = (a: Ranked, b: Ranked) => number

const byMember: Order = (a, b) => (a.member < b.member ? -1 : Number(a.member > b.member))
export const lowestFirst: Order = (a, b) => a.score - b.score || byMember(a, b)
export const highestFirst: Order = (a, b) => lowestFirst(b, a)

/** One partition's first few, in this order. */
type Ask = (partition: number, count: number) => Promise<readonly Ranked[]>

/**
 * The first of all partitions together. Each is asked for a few, since its share is small as a rule, and again for as many
 * as there can be where those few all belong to the answer.
 */
export async function firstOfAll(limit: number, order: Order, ask: Ask): Promise<readonly Found[]> {
  const few = Math.min(limit, 4 + Math.ceil((2 * limit) / PARTITIONS))
  const shares = await Promise.all(
    Array.from({ length: PARTITIONS }, (_, partition) => share(partition, few, ask)),
  )
  const cut = merge(shares, order)[limit - 1]
  const whole = shares.map((found, partition) => {
    const last = found.at(-1)
    const isCutShort =
      few < limit && found.length === few && (!cut || !last || order(last, cut) <= 0)
    return isCutShort ? share(partition, limit, ask) : found
  })
  return merge(await Promise.all(whole), order).slice(0, limit)
}

async function share(partition: number, count: number, ask: Ask): Promise<readonly Found[]> {
  return (await ask(partition, count)).map((ranked) => ({ ...ranked, partition }))
}

const merge = (shares: readonly (readonly Found[])[], order: Order): readonly Found[] =>
  shares.flat().sort(order)
