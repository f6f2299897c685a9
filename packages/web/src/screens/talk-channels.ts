import { allyOf, type Seat } from '@junqi/engine'
import { type Channel, PHRASES, type Phrase, type RoomView } from '@junqi/protocol'

/** R-CHAT-1: what the viewer hears; when the game is over, what was said while it ran as well. */
export function channelsOf(view: RoomView): readonly Channel[] {
  switch (view.phase) {
    case 'lobby':
      return ['room']
    case 'finished':
      return ['room', ...apart(view)]
    case 'deployment':
    case 'playing':
      return apart(view)
  }
}

/** Where the viewer talks, or talked, while the game runs. */
function apart({ you, game, rules }: RoomView): readonly Channel[] {
  if (you.seat === null || hasLeft(game, you.seat)) return ['spectators']
  return allyOf(rules.ruleSet, you.seat) === null ? ['table'] : ['table', 'alliance']
}

/** Whether something may be said in a channel that the viewer hears: what is of the game closes with it. */
export const isOpen = ({ phase }: Pick<RoomView, 'phase'>, channel: Channel): boolean =>
  phase !== 'finished' || channel === 'room'

const hasLeft = (game: RoomView['game'], seat: Seat): boolean => game?.seats[seat]?.out === 'left'

/** What is said to an ally and means nothing to anybody else. */
const ALLIES_PHRASES: ReadonlySet<string> = new Set<Phrase>([
  'attackLeft',
  'attackRight',
  'defend',
  'helpMe',
  'coverMe',
  'fallBack',
  'watchFlag',
])

const ALL_PHRASES = Object.keys(PHRASES).filter((key): key is Phrase => key in PHRASES)

/** The phrases that make sense in a channel; between allies what only they say comes first. */
export function phrasesIn(channel: Channel): readonly Phrase[] {
  const between = ALL_PHRASES.filter((phrase) => ALLIES_PHRASES.has(phrase))
  const others = ALL_PHRASES.filter((phrase) => !ALLIES_PHRASES.has(phrase))
  return channel === 'alliance' ? [...between, ...others] : others
}
