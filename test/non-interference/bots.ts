import { type Action, type Level, makeBrain, randomFrom, type Sight } from '@junqi/bots'
import {
  allyOf,
  type GameEvent,
  type GameState,
  isFlipGame,
  isPublicEvent,
  type PerSeat,
  type PublicEvent,
  type RuleSet,
  SEATS,
  type Seat,
  viewGame,
} from '@junqi/engine'
import { commandOf } from '../../packages/bots/src/play-game.ts'
import { chance, pick, type Random } from './random.ts'
import type { ScriptedCommand } from './script.ts'
import type { Setup } from './setup.ts'

/** The seats where bots sit, and how well each plays: every one otherwise, so that it is known which is seated where. */
export type Bots = PerSeat<Level>

/** Who plays easily thinks shortest, and what is asked here is not how well a bot plays. */
const PAIRS: readonly (readonly [Level, Level])[] = [
  ['easy', 'normal'],
  ['easy', 'hard'],
  ['easy', 'normal'],
  ['normal', 'hard'],
  ['hard', 'easy'],
]
/** Positions that `hard` looks at for a move: few, since how well it plays is not asked here. */
const NODES = 200

/** One bot or two, allies where there are any: so somebody is left whose pieces no bot knows. */
export function botsAt(ruleSet: RuleSet, random: Random): Bots {
  const { seats } = ruleSet
  const one = pick(random, seats) ?? 'south'
  const others = seats.filter((seat) => seat !== one && seats.length > 2)
  const other = allyOf(ruleSet, one) ?? pick(random, others)
  const places = [one, ...(other !== undefined && chance(random, 0.4) ? [other] : [])]
  const levels = pick(random, PAIRS) ?? []
  return Object.fromEntries(places.map((seat, n) => [seat, levels[n]]))
}

/** Where bots sit their own formations stand. */
export function withBots(setup: Setup, ruleSet: RuleSet, bots: Bots): Setup {
  if (isFlipGame(ruleSet)) return setup
  const own = SEATS.flatMap((seat) => {
    const level = bots[seat]
    return level === undefined ? [] : [[seat, brainOf(level, seat, 0).formation(ruleSet, seat)]]
  })
  return { ...setup, formations: { ...setup.formations, ...Object.fromEntries(own) } }
}

const brainOf = (level: Level, seat: Seat, turn: number) =>
  makeBrain(level, { random: randomFrom(turn * SEATS.length + SEATS.indexOf(seat)), nodes: NODES })

/** What a bot does, by what it was told and nothing else; null: nothing is up to it. */
export const botAction = (level: Level, sight: Sight): Action | null =>
  brainOf(level, sight.seat, sight.view.turn).act(sight)

/** What the first bot does that has something to do; null: none has. */
export function botCommand(
  bots: Bots,
  state: GameState,
  history: readonly PublicEvent[],
): ScriptedCommand | null {
  const { ruleSet } = state
  for (const seat of ruleSet.seats) {
    const level = bots[seat]
    const isAsked = state.toMove === seat || state.offer !== null
    const action =
      level && isAsked && botAction(level, { ruleSet, seat, view: viewGame(state, seat), history })
    if (action) return commandOf(seat, action)
  }
  return null
}

/** What everyone was told of a game's events. */
export const publicIn = (events: readonly GameEvent[]): readonly PublicEvent[] =>
  events.filter(isPublicEvent)
