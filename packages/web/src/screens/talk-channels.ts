import { allyOf, type Seat } from '@junqi/engine'
import { type Channel, PHRASES, type Phrase, type RoomView } from '@junqi/protocol'

/** R-CHAT-1: what the viewer hears, and may try to say something in. */
export function channelsOf({ phase, you, game, rules }: RoomView): readonly Channel[] {
  if (phase === 'lobby' || phase === 'finished') return ['room']
  if (you.seat === null || hasLeft(game, you.seat)) return ['spectators']
  return allyOf(rules.ruleSet, you.seat) === null ? ['table'] : ['table', 'alliance']
}

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
