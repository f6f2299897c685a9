import { type GameEvent, type GameRecord, type PublicEvent, playRecord } from '@junqi/engine'

/**
 * The number of the first action of which something else was told, as it was played, than it leads to in the record; null:
 * all was told as it is (R-SEAL-3). `history`: what a viewer was told of the game, from its start to its end.
 */
export function firstToldOtherwise(
  record: GameRecord,
  history: readonly PublicEvent[],
): number | null {
  const told = history.filter(isInRecord)
  let at = 0
  let last = 0
  for (const { n, applied } of playRecord(record)) {
    last = n
    if (applied === null) return n
    for (const event of applied.events.filter(isInRecord)) {
      if (!isAlike(event, told[at])) return n
      at++
    }
  }
  return at === told.length ? null : last
}

/** Offers of a draw change nothing, and no record has them; its end is the result. */
const isInRecord = ({ type }: GameEvent): boolean =>
  type !== 'drawOffered' && type !== 'drawAnswered' && type !== 'drawLapsed' && type !== 'gameEnded'

/** Whether two pieces of JSON say the same, in whatever order. */
function isAlike(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return one === other
  }
  const [ones, others] = [Object.entries(one), new Map(Object.entries(other))]
  return (
    ones.length === others.size && ones.every(([key, value]) => isAlike(value, others.get(key)))
  )
}
