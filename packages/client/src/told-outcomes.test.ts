import { type AttackOutcome, isPublicEvent, type PublicEvent, recordOf } from '@junqi/engine'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { playRandomly } from '../../engine/test/random-game.ts'
import { firstToldOtherwise } from './told-outcomes.ts'

const PRESETS = ['siguo', 'sanguo', 'duel', 'siguo-open', 'flip'] as const

/** A game that was played at random, and what everyone was told of it. */
const anyGame = fc
  .record({ preset: fc.constantFrom(...PRESETS), seed: fc.nat(10_000) })
  .map(({ preset, seed }) => {
    const game = playRandomly({ preset, options: {}, seed, length: 120 })
    const events = [game.started, ...game.steps.flatMap((step) => step.events)]
    return { record: recordOf(game.rules, events), history: events.filter(isPublicEvent) }
  })

const OTHER: Readonly<Record<AttackOutcome, AttackOutcome>> = {
  attackerWins: 'bothRemoved',
  bothRemoved: 'defenderWins',
  defenderWins: 'attackerWins',
  repelled: 'attackerWins',
}

describe('R-SEAL-3: what was told of a game as it was played', () => {
  test('R-SEAL-3: is what its record leads to, offers of a draw or not', () => {
    fc.assert(
      fc.property(anyGame, ({ record, history }) => {
        expect(firstToldOtherwise(record, history)).toBeNull()
        const offer: PublicEvent = { type: 'drawOffered', seat: 'south', offer: 1 }
        expect(firstToldOtherwise(record, [offer, ...history])).toBeNull()
      }),
      { numRuns: 30 },
    )
  })

  test('R-SEAL-3: is not when one attack was told with another outcome', () => {
    fc.assert(
      fc.property(anyGame, fc.nat(), ({ record, history }, which) => {
        const attacks = history.filter(({ type }) => type === 'pieceAttacked')
        const attack = attacks[which % Math.max(attacks.length, 1)]
        if (attack?.type !== 'pieceAttacked') return
        const lie: PublicEvent = { ...attack, outcome: OTHER[attack.outcome] }
        const told = history.map((event) => (event === attack ? lie : event))
        const turn = history.slice(0, history.indexOf(attack)).filter(isAction).length + 1
        expect(firstToldOtherwise(record, told)).toBe(turn)
      }),
      { numRuns: 60 },
    )
  })

  test('R-SEAL-3: is not when less was told, or more', () => {
    fc.assert(
      fc.property(anyGame, ({ record, history }) => {
        const last = history.findLastIndex(isAction)
        expect(firstToldOtherwise(record, history.toSpliced(last, 1))).not.toBeNull()
        const more: PublicEvent = { type: 'turnSkipped', seat: 'south' }
        expect(firstToldOtherwise(record, [...history, more])).toBe(record.actions.length)
      }),
      { numRuns: 20 },
    )
  })
})

/** What stands for an action of the record. */
const isAction = (event: PublicEvent): boolean =>
  event.type === 'pieceMoved' ||
  event.type === 'pieceAttacked' ||
  event.type === 'pieceFlipped' ||
  event.type === 'turnSkipped' ||
  (event.type === 'seatEliminated' && (event.reason === 'resigned' || event.reason === 'left'))
