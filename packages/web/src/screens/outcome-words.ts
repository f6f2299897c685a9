import type { Seat } from '@junqi/engine'
import { words } from '../i18n/i18n.ts'

/** Who won, in words. */
export function winnersOf(winners: readonly Seat[]): string {
  const { after, seats } = words.value
  if (winners.length === 0) return after.nobody
  return after.winners(winners.map((seat) => seats[seat]).join('、'))
}
