import {
  type Formation,
  PIECE_SYMBOLS,
  type PresetName,
  type RuleOptions,
  SEATS,
  type Seat,
} from '@junqi/engine'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { disagreements, worldSource } from '../src/belief/worlds.ts'
import { randomFrom } from '../src/index.ts'
import { COUNTS, has, KINDS } from '../src/kinds.ts'
import { chance, type Mind, mindOf } from '../src/mind.ts'
import { anyOptions, type Moment, momentsOf, rulesOf, sightAfter } from './games.ts'

/*
 *     12  4 F L 2 1     of north (drawn with column e at the left, as north sees it)
 *     11  6 L 2 L B
 *     10  B . 2 . 4
 *      9  8 1 . 3 7
 *      8  5 . 3 . 5
 *      7  9 6 3 1 7
 */
const NORTH = '963175358137B246L2LB4FL21'
/** The same, with what stands at its two ends of the front row exchanged: 9 faces 9 at e6, e7. */
const SOUTH = '763195358137B246L2LB4FL21'

const OFFICERS = '987654321'
const SYMBOLS = PIECE_SYMBOLS.join('')

interface Scene {
  readonly options?: RuleOptions
  readonly south?: Formation
  readonly moves: readonly string[]
  /** First space of a piece of north's, and the kinds that south must still think possible. */
  readonly expected: Readonly<Record<string, string>>
}

const SCENES: readonly (readonly [string, Scene])[] = [
  [
    'R-DEPLOY-2, R-DEPLOY-3, R-DEPLOY-4: before anything has happened the place tells',
    {
      moves: [],
      expected: {
        e7: OFFICERS,
        c8: `${OFFICERS}B`,
        e11: `${OFFICERS}BL`,
        a12: `${OFFICERS}BL`,
        d12: `${OFFICERS}BLF`,
      },
    },
  ],
  [
    'R-DEPLOY-4: with bombFrontRow bombs may stand in front',
    { options: { bombFrontRow: true }, moves: [], expected: { e7: `${OFFICERS}B` } },
  ],
  [
    'R-MOVE-1: what moved is neither landmine nor flag',
    { moves: ['c6-c7', 'e11-d10'], expected: { e11: `${OFFICERS}B`, d11: `${OFFICERS}BL` } },
  ],
  [
    'R-MOVE-4: what turned on a railroad is an engineer',
    { moves: ['c6-c7', 'b7-c6'], expected: { b7: '1', d7: OFFICERS } },
  ],
  [
    'R-MOVE-4: with flyingBomb it may be a bomb too, where bombs may stand',
    {
      options: { flyingBomb: true, bombFrontRow: true },
      moves: ['c6-c7', 'b7-c6'],
      expected: { b7: '1B' },
    },
  ],
  [
    'R-FIGHT-4: what a captain and it removed each other is a captain, where no bomb may stand',
    { moves: ['c6-c7'], expected: { c7: '3' } },
  ],
  [
    'R-FIGHT-1: or a bomb, where one may',
    { options: { bombFrontRow: true }, moves: ['c6-c7'], expected: { c7: '3B' } },
  ],
  [
    'R-FIGHT-4: what a major general and it removed each other is one',
    { moves: ['a6-a7'], expected: { a7: '7' } },
  ],
  [
    'R-FIGHT-4: what stood against a major general is stronger',
    { south: NORTH, moves: ['e6-e7'], expected: { e7: '98' } },
  ],
  [
    'R-FIGHT-4: what fell to the field marshal is any other officer',
    { south: NORTH, moves: ['a6-a7'], expected: { a7: '87654321' } },
  ],
  [
    'R-FIGHT-8: a field marshal fell, so its flag is known and the other headquarters holds none',
    { moves: ['e6-e7'], expected: { e7: '9', d12: 'F', b12: `${OFFICERS.slice(1)}BL` } },
  ],
  [
    'R-FIGHT-6: the officer that an engineer found out is known',
    {
      options: { engineerScout: true },
      south: '163975358137B246L2LB4FL21',
      moves: ['a6-a7'],
      expected: { a7: '7' },
    },
  ],
  [
    'R-DEPLOY-1: where the field marshal is known, no other piece is one',
    { moves: ['e6-e7'], expected: { d7: OFFICERS.slice(1), c8: `${OFFICERS.slice(1)}B` } },
  ],
  [
    'R-SEE-1: under allOpen everything is known',
    { options: { visibility: 'allOpen' }, moves: [], expected: { d12: 'F', e7: '9', d11: 'L' } },
  ],
]

describe('what an event leaves possible', () => {
  test.each(SCENES)('%s', (_, { options = {}, south = SOUTH, moves, expected }) => {
    const ruleSet = rulesOf('duel', options)
    const sight = sightAfter(ruleSet, { south, north: NORTH }, 'south', ...moves)
    const mind = mindOf(sight)
    const found = Object.keys(expected).map((space) => [space, kindsAt(mind, 'north', space)])
    expect(Object.fromEntries(found)).toEqual(expected)
  })
})

/** The kinds that the piece that began on a space may be. */
function kindsAt(mind: Mind, seat: Seat, space: string): string {
  const home = mind.terrain.ground.board.indexOf.get(space) ?? -1
  const piece = mind.story.armies[seat][mind.terrain.homes[seat].indexOf(home)]
  return PIECE_SYMBOLS.filter((_, kind) => piece && has(piece.possible, kind)).join('')
}

const PRESETS: readonly PresetName[] = ['duel', 'siguo', 'siguo-free', 'sanguo', 'siguo-ally-open']

interface Game {
  readonly preset: PresetName
  readonly options: RuleOptions
  readonly seed: number
}

const anyGame: fc.Arbitrary<Game> = fc.record({
  preset: fc.constantFrom(...PRESETS),
  options: fc.oneof(fc.constant({}), anyOptions),
  seed: fc.integer(),
})

const momentsIn = ({ preset, options, seed }: Game): readonly Moment[] =>
  momentsOf(rulesOf(preset, options), { seed, every: 23 })

/** The number of each kind's true kind, by seat and place. */
function truthOf({ state }: Moment, seat: Seat, place: number): number {
  return SYMBOLS.indexOf(state.formations[seat]?.charAt(place) ?? '')
}

/** A landmine repels the same piece dozens of times: what was multiplied at each of them once had no end. */
const REPELLING: Game = {
  preset: 'duel-open',
  options: { visibility: 'allyOpen', landmine: 'repels', bombFrontRow: true, flyingBomb: true },
  seed: -2147483621,
}

describe('what a seat believes', () => {
  test('never excludes the truth, and adds up', () => {
    fc.assert(
      fc.property(anyGame, (game) => {
        for (const moment of momentsIn(game)) {
          const mind = mindOf(moment.sight)
          for (const seat of SEATS) {
            for (const piece of mind.story.armies[seat]) {
              const truth = truthOf(moment, seat, piece.place)
              expect(has(piece.possible, truth)).toBe(true)
              expect(chance(mind, piece, truth)).toBeGreaterThan(0)
              const row = Array.from({ length: KINDS }, (_, kind) => chance(mind, piece, kind))
              expect(row.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9)
            }
          }
        }
      }),
      { numRuns: 15, examples: [[REPELLING]] },
    )
  })

  test('knows its own pieces, and stands where the board has them', () => {
    fc.assert(
      fc.property(anyGame, (game) => {
        for (const { sight, state } of momentsIn(game)) {
          const mind = mindOf(sight)
          const standing = mind.story.standing.map((piece) => piece?.seat ?? null)
          expect(standing).toEqual(state.pieces.map((piece) => piece?.seat ?? null))
          for (const piece of mind.story.armies[sight.seat]) {
            expect(piece.possible & (piece.possible - 1)).toBe(0)
          }
        }
      }),
      { numRuns: 8 },
    )
  })

  test('the worlds it draws hold whole armies and agree with every attack', () => {
    fc.assert(
      fc.property(anyGame, (game) => {
        for (const { sight } of momentsIn(game)) {
          const { story, odds } = mindOf(sight)
          const draw = worldSource(story, odds, randomFrom(game.seed))
          for (let n = 0; n < 3; n++) {
            const world = draw()
            expect(disagreements(world, story.clashes)).toBe(0)
            for (const seat of SEATS) {
              const army = story.armies[seat]
              expect(
                army.every(({ place, possible }) => has(possible, world[seat][place] ?? -1)),
              ).toBe(true)
              const counts = COUNTS.map((_, kind) => world[seat].filter((k) => k === kind).length)
              if (army.length > 0) expect(counts).toEqual(COUNTS)
            }
          }
        }
      }),
      { numRuns: 8 },
    )
  })
})
