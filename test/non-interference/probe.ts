import {
  boardOf,
  decide,
  type GameState,
  isSeat,
  randomFormation,
  SEATS,
  type Seat,
} from '@junqi/engine'
import { type PlayerId, playerId } from '@junqi/protocol'
import { below, chance, pick, type Random } from './random.ts'
import type { Actor } from './site.ts'
import type { Ask } from './table.ts'

/** What is known of a running game when somebody pries into it. */
export interface Occasion {
  readonly state: GameState
  readonly actor: Actor
  readonly host: PlayerId
}

/** Something that an actor may try in a running game, be it refused or not. */
export function anyProbe(occasion: Occasion, random: Random): Ask {
  if (occasion.state.flip !== null && chance(random, 0.3)) return flipProbe(occasion, random)
  if (chance(random, 0.6)) return moveProbe(occasion, random)
  const { state, host } = occasion
  const seat = pick(random, SEATS) ?? 'south'
  const { turn } = state
  const formation = randomFormation(state.ruleSet, random)
  const probes: readonly Ask[] = [
    { type: 'resign', turn },
    { type: 'resign', turn: turn + 1 },
    { type: 'offerDraw' },
    { type: 'answerDraw', offer: 1 + below(random, state.offers + 2), accept: chance(random, 0.5) },
    { type: 'saveDraft', formation },
    { type: 'submitFormation', formation },
    { type: 'ready' },
    { type: 'notReady' },
    { type: 'start' },
    { type: 'sit', seat },
    { type: 'stand' },
    { type: 'requestSwap', seat },
    { type: 'answerSwap', swap: 1, accept: true },
    { type: 'setRules', preset: 'duel', options: {} },
    { type: 'removePlayer', player: host },
    { type: 'addBot', seat, level: 'easy' },
    { type: 'removePlayer', player: playerId.parse('zzzzzzzzzzzz') },
    { type: 'rematch' },
  ]
  return pick(random, probes) ?? { type: 'rematch' }
}

/** A move of anybody's piece to anywhere, camps and headquarters among it, for this turn or another. */
function moveProbe({ state, actor }: Occasion, random: Random): Ask {
  const { spaces } = boardOf(state.ruleSet)
  const standing = spaces.filter((_, i) => state.pieces[i] !== null)
  const own = spaces.filter((_, i) => state.pieces[i]?.seat === actor)
  const from = pick(random, chance(random, 0.5) && own.length > 0 ? own : standing)
  const to = pick(random, chance(random, 0.5) ? standing : spaces)
  const turn = chance(random, 0.9) ? state.turn : below(random, state.turn + 3)
  return { type: 'move', turn, from: from ?? 'a1', to: to ?? 'a1' }
}

/** A flip of what lies face down or not, for this turn or another. */
function flipProbe({ state }: Occasion, random: Random): Ask {
  const turn = chance(random, 0.7) ? state.turn : below(random, state.turn + 3)
  return { type: 'flip', turn, space: pick(random, boardOf(state.ruleSet).spaces) ?? 'a1' }
}

/** Whether a probe would change the game: then nobody tries it. */
export function changesGame({ state, actor }: Occasion, ask: Ask): boolean {
  if (!isSeat(actor)) return false
  const seat: Seat = actor
  switch (ask.type) {
    case 'move':
      return ask.turn === state.turn && decide(state, { ...ask, type: 'movePiece', seat }).ok
    case 'flip':
      return ask.turn === state.turn && decide(state, { ...ask, type: 'flipPiece', seat }).ok
    case 'resign':
      return ask.turn === state.turn && decide(state, { type: 'resign', seat }).ok
    case 'offerDraw':
      return decide(state, { type: 'offerDraw', seat }).ok
    case 'answerDraw':
      return decide(state, { ...ask, seat }).ok
    default:
      return false
  }
}
