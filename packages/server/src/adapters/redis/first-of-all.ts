import { PARTITIONS } from './keys.ts'
import type { Ranked } from './reply.ts'

export type Order = (a: Ranked, b: Ranked) => number

const byMember: Order = (a, b) => (a.member < b.member ? -1 : Number(a.member > b.member))
export const lowestFirst: Order = (a, b) => a.score - b.score || byMember(a, b)
export const highestFirst: Order = (a, b) => lowestFirst(b, a)

/** The first few of each of these partitions, in this order. */
type Ask = (partitions: readonly number[], count: number) => Promise<readonly (readonly Ranked[])[]>

const ALL = Array.from({ length: PARTITIONS }, (_, partition) => partition)

/**
 * The first of all partitions together. Each is asked for a few, since its share is small as a rule, and again for as many
 * as there can be where those few all belong to the answer.
 */
export async function firstOfAll(
  limit: number,
  order: Order,
  ask: Ask,
): Promise<readonly Ranked[]> {
  const few = Math.min(limit, 4 + Math.ceil((2 * limit) / PARTITIONS))
  const shares = await ask(ALL, few)
  const cut = merge(shares, order)[limit - 1]
  const isCutShort = (share: readonly Ranked[]): boolean => {
    const last = share.at(-1)
    return few < limit && share.length === few && (!cut || !last || order(last, cut) <= 0)
  }
  const short = ALL.filter((partition) => isCutShort(shares[partition] ?? []))
  const whole = short.length === 0 ? [] : await ask(short, limit)
  const others = shares.filter((share) => !isCutShort(share))
  return merge([...others, ...whole], order).slice(0, limit)
}

const merge = (shares: readonly (readonly Ranked[])[], order: Order): readonly Ranked[] =>
  shares.flat().sort(order)
