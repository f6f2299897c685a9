import { describe, expect, test } from 'vitest'
import { SEATS, type Seat } from '../seat.ts'
import { PRESETS } from './presets.ts'
import type { RuleSet } from './rule-set.ts'
import { mayTell } from './telling.ts'
import type { Sight } from './visibility.ts'

type Visibility = RuleSet['visibility']
type EliminatedView = RuleSet['eliminatedView']

const status = (out: 'flagCaptured' | null) => ({ out, timeouts: 0, turns: 0, offeredAt: null })

function sight(
  visibility: Visibility,
  eliminatedView: EliminatedView,
  out: readonly Seat[],
): Sight {
  return {
    ruleSet: { ...PRESETS.siguo, visibility, eliminatedView },
    seats: {
      south: status(out.includes('south') ? 'flagCaptured' : null),
      east: status(out.includes('east') ? 'flagCaptured' : null),
      north: status(out.includes('north') ? 'flagCaptured' : null),
      west: status(out.includes('west') ? 'flagCaptured' : null),
    },
    result: null,
  }
}

/** South is out; North is its ally. What each way of looking on gives South that it did not see, and who has it too. */
const TABLE: readonly (readonly [
  Visibility,
  EliminatedView,
  Record<'ally' | 'enemies', boolean>,
])[] = [
  // Its ally's pieces: the ally has them, the enemies do not.
  ['allDark', 'ally', { ally: true, enemies: false }],
  ['allDark', 'own', { ally: true, enemies: true }],
  ['allDark', 'public', { ally: true, enemies: true }],
  // It saw its ally's pieces before.
  ['allyOpen', 'ally', { ally: true, enemies: true }],
  ['allyOpen', 'own', { ally: true, enemies: true }],
  ['allyOpen', 'public', { ally: true, enemies: true }],
  // Everyone sees everything.
  ['allOpen', 'ally', { ally: true, enemies: true }],
  ['allOpen', 'own', { ally: true, enemies: true }],
  ['allOpen', 'public', { ally: true, enemies: true }],
]

describe('R-CHAT-4: who is out talks to nobody who does not see what it is shown by being out', () => {
  test.each(TABLE)('%s, eliminatedView %s', (visibility, eliminatedView, expected) => {
    const now = sight(visibility, eliminatedView, ['south'])
    expect(mayTell('south', 'north', now)).toBe(expected.ally)
    expect(mayTell('south', 'east', now)).toBe(expected.enemies)
    expect(mayTell('south', 'west', now)).toBe(expected.enemies)
  })

  test.each(TABLE)(
    '%s, eliminatedView %s: who is in talks to all',
    (visibility, eliminatedView) => {
      for (const out of [[], ['south']] as const) {
        const now = sight(visibility, eliminatedView, out)
        for (const listener of SEATS) expect(mayTell('east', listener, now)).toBe(true)
      }
    },
  )

  test('of two who are out neither tells the other what it is shown of its ally', () => {
    const now = sight('allDark', 'ally', ['south', 'east'])
    expect(mayTell('south', 'east', now)).toBe(false)
    expect(mayTell('east', 'south', now)).toBe(false)
    expect(mayTell('east', 'west', now)).toBe(true)
  })
})
