import type { Seat } from '@junqi/engine'
import { listOf, words } from '../i18n/i18n.ts'

/** Who won, in words. */
export function winnersOf(winners: readonly Seat[]): string {
  const { after, seats } = words.value
  if (winners.length === 0) return after.nobody
  return after.winners(listOf(winners.map((seat) => seats[seat])))
}
