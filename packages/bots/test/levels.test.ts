import {
  applyCommand,
  bySeat,
  type GameState,
  newGame,
  PRESET_NAMES,
  PRESETS,
  type Seat,
  viewGame,
} from '@junqi/engine'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Brain,
  LEVELS,
  type Level,
  makeBrain,
  playGame,
  randomFrom,
  type Sight,
} from '../src/index.ts'
import { numberOf } from '../src/kinds.ts'
import { VALUES } from '../src/values.ts'
import { ARMY_PRESETS, anyFlipOptions, anyOptions, momentsOf, rulesOf } from './games.ts'

const FORMATION = '963175358137B246L2LB4FL21'
/** Few: these tests are not about strength. */
const NODES = 300

const makerOf = (level: Level, seed: number) =>
  makeBrain(level, { random: randomFrom(seed), nodes: NODES })

describe.each(LEVELS)('a brain of level %s', (level) => {
  test.each(PRESET_NAMES)('plays whole games of %s without an illegal command', (preset) => {
    const ruleSet = PRESETS[preset]
    for (let seed = 1; seed <= (level === 'easy' ? 5 : 1); seed++) {
      const brains = bySeat(() => makerOf(level, seed))
      expect(playGame({ ruleSet, brains, random: randomFrom(seed) }).end.result).not.toBeNull()
    }
  })

  test('plays by whatever the rules are, without an illegal command', () => {
    const game = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          preset: fc.constantFrom(...ARMY_PRESETS),
          options: anyOptions,
          seed: fc.integer(),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          preset: fc.constant('flip' as const),
          options: anyFlipOptions,
          seed: fc.integer(),
        }),
      },
    )
    fc.assert(
      fc.property(game, ({ preset, options, seed }) => {
        const ruleSet = rulesOf(preset, options)
        const brains = bySeat(() => makerOf(level, seed))
        expect(playGame({ ruleSet, brains, random: randomFrom(seed) }).end.result).not.toBeNull()
      }),
      { numRuns: level === 'easy' ? 20 : 4 },
    )
  })

  test('plays the same game again from the same seed, and another from another', () => {
    const ruleSet = PRESETS.duel
    const commands = [1, 1, 2].map((seed) => {
      const random = randomFrom(seed)
      const brains = bySeat(() => makeBrain(level, { random, nodes: NODES }))
      return playGame({ ruleSet, brains, random }).commands
    })
    expect(commands[0]).toEqual(commands[1])
    expect(commands[0]).not.toEqual(commands[2])
  })

  test('F-R7: does the same from a snapshot as one that was always there', () => {
    // Chance is dealt anew before each turn, so that the two can differ by what they remember alone.
    let random = randomFrom(0)
    const make = () => makeBrain(level, { random: () => random(), nodes: NODES })
    const always = make()
    const actFrom = (brain: Brain, sight: Sight, seed: number) => {
      random = randomFrom(seed)
      return brain.act(sight)
    }
    for (const preset of ['siguo-table', 'duel', 'flip'] as const) {
      const moments = momentsOf(PRESETS[preset], { seed: 5, every: 9 })
      for (const [turn, { sight }] of moments.entries()) {
        const action = actFrom(always, sight, turn)
        expect(actFrom(make(), structuredClone(sight), turn)).toEqual(action)
      }
    }
  })

  const ruleSet = PRESETS.duel
  const formations = { south: FORMATION, north: FORMATION }
  const start = newGame(ruleSet, { type: 'gameStarted', formations, first: 'south' })

  test('R-TURN-1: does nothing while another seat is to move', () => {
    const sight = { ruleSet, seat: 'north', view: viewGame(start, 'north'), history: [] } as const
    expect(makerOf(level, 1).act(sight)).toBeNull()
  })

  test('R-END-5: answers a draw offer out of its turn, with no while the armies are whole', () => {
    const offered = applyCommand(start, { type: 'offerDraw', seat: 'south' })
    if (!offered.ok) throw new Error(offered.error.code)
    const view = viewGame(offered.value.state, 'north')
    expect(makerOf(level, 1).act({ ruleSet, seat: 'north', view, history: [] })).toEqual({
      type: 'answerDraw',
      offer: 1,
      accept: false,
    })
  })
})

/** What an army on the board is worth beside its flag. */
const worthOf = ({ pieces }: GameState, seat: Seat): number =>
  pieces.reduce(
    (sum, piece) =>
      piece?.seat === seat && piece.kind !== 'flag'
        ? sum + (VALUES[numberOf(piece.kind)] ?? 0)
        : sum,
    0,
  )

test.each(['normal', 'hard'] as const)(
  'R-END-5: a brain of level %s takes a draw when it is far behind, and none when it is well ahead',
  (level) => {
    const answers = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((seed) =>
      momentsOf(PRESETS.duel, { seed, every: 9 }).flatMap(({ sight, state }) => {
        const offered = { ...state, offer: { number: 1, by: sight.seat, accepted: [] }, offers: 1 }
        const seat = sight.seat === 'south' ? 'north' : 'south'
        const share = worthOf(state, seat) / worthOf(state, sight.seat)
        const action = makerOf(level, 1).act({ ...sight, seat, view: viewGame(offered, seat) })
        const isDead = state.quiet > 40
        return action?.type === 'answerDraw' && !isDead ? [{ share, accept: action.accept }] : []
      }),
    )
    const behind = answers.filter(({ share }) => share < 0.65)
    const ahead = answers.filter(({ share }) => share > 1.3)
    expect(Math.min(behind.length, ahead.length)).toBeGreaterThan(5)
    expect(behind.every(({ accept }) => accept)).toBe(true)
    expect(ahead.some(({ accept }) => accept)).toBe(false)
  },
)
