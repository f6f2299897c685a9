import { allianceOf, type GameView, type Seat } from '@junqi/engine'
import type { RoomView } from '@junqi/protocol'
import { listOf, words } from '../i18n/i18n.ts'

/** Who won, in words. */
export function winnersOf(winners: readonly Seat[]): string {
  const { after, seats } = words.value
  if (winners.length === 0) return after.nobody
  return after.winners(listOf(winners.map((seat) => seats[seat])))
}

/** How it ended for who looks at it. */
export function headline({ you, rules }: RoomView, winners: readonly Seat[]): string {
  const { after } = words.value
  if (winners.length === 0) return after.draw
  if (you.seat === null) return after.over
  return allianceOf(rules.ruleSet, you.seat).some((seat) => winners.includes(seat))
    ? after.won
    : after.lost
}

/** What somebody who looks elsewhere wants to hear of: the own turn, and the end; null: neither. */
export function newsOf(view: RoomView, { toMove, result }: GameView): string | null {
  if (result !== null) return headline(view, result.winners)
  return toMove !== null && toMove === view.you.seat ? words.value.play.yourTurn : null
}
