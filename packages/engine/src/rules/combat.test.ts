import { describe, expect, test } from 'vitest'
import { gameOf, pieceAt, play, rulesOf } from '../../test/game-at.ts'
import { kindOfSymbol, type PieceKind } from '../piece.ts'
import { resolveCombat } from './combat.ts'
import { legalMoves } from './legal-moves.ts'
import type { RuleOptions } from './rule-set.ts'

const kind = (symbol: string): PieceKind => kindOfSymbol(symbol) ?? 'flag'

/** The outcome of `9xL`: a field marshal attacks a landmine. */
function outcome(attack: string, options: RuleOptions = {}): string {
  const [attacker = '', defender = ''] = attack.split('x')
  return resolveCombat(kind(attacker), kind(defender), rulesOf('duel', options)).outcome
}

const WINS = 'attackerWins'
const LOSES = 'defenderWins'
const BOTH = 'bothRemoved'
const REPELLED = 'repelled'

describe('the outcome of an attack', () => {
  test.each<[string, string, RuleOptions, string]>([
    ['R-FIGHT-1: a bomb takes its target with it', 'Bx9', {}, BOTH],
    ['R-FIGHT-1: so it does when attacked', '1xB', {}, BOTH],
    ['R-FIGHT-1: a bomb on a bomb', 'BxB', {}, BOTH],
    ['R-FIGHT-1: a bomb on a landmine', 'BxL', {}, BOTH],
    ['R-FIGHT-1: a bomb on a landmine that repels', 'BxL', { landmine: 'repels' }, BOTH],
    ['R-FIGHT-1: a bomb on a flag', 'BxF', {}, BOTH],
    ['R-FIGHT-2: any officer captures the flag', '9xF', {}, WINS],
    ['R-FIGHT-2: notFieldMarshal', '9xF', { flagCapture: 'notFieldMarshal' }, REPELLED],
    ['R-FIGHT-2: a general may', '8xF', { flagCapture: 'notFieldMarshal' }, WINS],
    ['R-FIGHT-2: a bomb may', 'BxF', { flagCapture: 'notFieldMarshal' }, BOTH],
    ['R-FIGHT-2: engineerOnly', '8xF', { flagCapture: 'engineerOnly' }, REPELLED],
    ['R-FIGHT-2: the engineer', '1xF', { flagCapture: 'engineerOnly' }, WINS],
    ['R-FIGHT-2: no bomb', 'BxF', { flagCapture: 'engineerOnly' }, REPELLED],
    ['R-FIGHT-3: an engineer clears a landmine', '1xL', {}, WINS],
    ['R-FIGHT-3: where it is mutual, too', '1xL', { landmine: 'mutual' }, WINS],
    ['R-FIGHT-3: where it repels, too', '1xL', { landmine: 'repels' }, WINS],
    ['R-FIGHT-3: not where it explodes', '1xL', { landmine: 'explodes' }, BOTH],
    ['R-FIGHT-3: stands', '9xL', {}, LOSES],
    ['R-FIGHT-3: mutual', '2xL', { landmine: 'mutual' }, BOTH],
    ['R-FIGHT-3: explodes', '2xL', { landmine: 'explodes' }, BOTH],
    ['R-FIGHT-3: repels', '2xL', { landmine: 'repels' }, REPELLED],
    ['R-FIGHT-3: a field marshal repelled', '9xL', { fieldMarshalRepelled: true }, REPELLED],
    [
      'R-FIGHT-3: in any case',
      '9xL',
      { fieldMarshalRepelled: true, landmine: 'explodes' },
      REPELLED,
    ],
    ['R-FIGHT-3: a general is not', '8xL', { fieldMarshalRepelled: true }, LOSES],
    ['R-FIGHT-4: the higher wins', '9x8', {}, WINS],
    ['R-FIGHT-4: the lower loses', '2x3', {}, LOSES],
    ['R-FIGHT-4: equals are both removed', '5x5', {}, BOTH],
    ['R-FIGHT-4: engineers as well', '1x1', { engineerScout: true }, BOTH],
  ])('%s (%s)', (_, attack, options, expected) => {
    expect(outcome(attack, options)).toBe(expected)
  })
})

describe('R-FIGHT-5: what is left on the board', () => {
  test.each([
    ['attackerWins', 'S 5a6 3e1 Fd1 / N 3a7 3e12 Fb12', null, 'south:a6', 0],
    ['defenderWins', 'S 3a6 3e1 Fd1 / N 5a7 3e12 Fb12', null, 'north:a7', 0],
    ['bothRemoved', 'S 3a6 3e1 Fd1 / N 3a7 3e12 Fb12', null, null, 0],
    ['repelled', 'S 3a6 3e1 Fd1 / N La7 3e12 Fb12', 'south:a6', 'north:a7', 1],
  ])('R-FIGHT-5: %s', (expected, armies, from, to, quiet) => {
    const rules = rulesOf('duel', { landmine: 'repels' })
    const { state, events } = play(gameOf(rules, 'south', armies), 'a6-a7')
    expect(events).toEqual([{ type: 'pieceAttacked', from: 'a6', to: 'a7', outcome: expected }])
    expect(pieceAt(state, 'a6')?.id ?? null).toBe(from)
    expect(pieceAt(state, 'a7')?.id ?? null).toBe(to)
    expect([state.quiet, state.toMove]).toEqual([quiet, 'north'])
  })
})

describe('R-FIGHT-6: an engineer scouts', () => {
  const scouting = rulesOf('duel', { engineerScout: true })

  test('R-FIGHT-6: the officer it attacked is shown, wherever it goes', () => {
    const start = gameOf(scouting, 'south', 'S 1a6 3e1 Fd1 / N 5a7 3e12 Fb12')
    const { state, events } = play(start, 'a6-a7', 'a7-a4')
    expect(events.slice(0, 2)).toEqual([
      { type: 'pieceAttacked', from: 'a6', to: 'a7', outcome: 'defenderWins' },
      { type: 'officerScouted', space: 'a7', kind: 'colonel' },
    ])
    expect(pieceAt(state, 'a4')).toEqual({
      id: 'north:a7',
      seat: 'north',
      kind: 'colonel',
      shown: true,
    })
  })

  test.each([
    ['an engineer', '1', scouting],
    ['a bomb', 'B', scouting],
    ['a landmine', 'L', scouting],
    ['an officer without the rule', '5', rulesOf('duel')],
  ])('R-FIGHT-6: %s is not shown', (_, symbol, rules) => {
    const start = gameOf(rules, 'south', `S 1a6 3e1 Fd1 / N ${symbol}a7 3e12 Fb12`)
    expect(play(start, 'a6-a7').events).toHaveLength(1)
  })

  test('R-FIGHT-6: only engineers scout', () => {
    const start = gameOf(scouting, 'south', 'S 2a6 3e1 Fd1 / N 5a7 3e12 Fb12')
    expect(play(start, 'a6-a7').events).toHaveLength(1)
  })
})

test('R-FIGHT-7: an attack tells its outcome and no kind', () => {
  const start = gameOf(rulesOf('duel'), 'south', 'S 5a6 3e1 Fd1 / N 3a7 3e12 Fb12')
  expect(play(start, 'a6-a7').events.map((event) => Object.keys(event))).toEqual([
    ['type', 'from', 'to', 'outcome'],
  ])
})

describe('R-FIGHT-8: a fallen field marshal shows its flag', () => {
  const armies = 'S Ba6 9e6 3a1 Fd1 / N 9a7 9e7 3e12 Fb12'

  test('R-FIGHT-8: the flag of its owner, and only then', () => {
    const { state, events } = play(gameOf(rulesOf('duel'), 'south', armies), 'a6-a7')
    expect(events.slice(1)).toEqual([{ type: 'flagRevealed', seat: 'north', space: 'b12' }])
    expect(pieceAt(state, 'b12')?.shown).toBe(true)
    expect(pieceAt(state, 'd1')?.shown).toBe(false)
  })

  test('R-FIGHT-8: both flags, the attacker’s first', () => {
    const { events } = play(gameOf(rulesOf('duel'), 'south', armies), 'e6-e7')
    expect(events.slice(1)).toEqual([
      { type: 'flagRevealed', seat: 'south', space: 'd1' },
      { type: 'flagRevealed', seat: 'north', space: 'b12' },
    ])
  })

  test('R-FIGHT-8: not without the rule', () => {
    const rules = rulesOf('duel', { fieldMarshalDeathRevealsFlag: false })
    expect(play(gameOf(rules, 'south', armies), 'e6-e7').events).toHaveLength(1)
  })

  test('R-FIGHT-8: not when the army is removed otherwise', () => {
    const rules = rulesOf('siguo-free')
    const start = gameOf(rules, 'south', 'S 5g6 Fh1 / E 9q9 5p9 Fq8 / N 5k13 Fj17')
    expect(play(start, 'leave east').events).toEqual([
      { type: 'seatEliminated', seat: 'east', reason: 'left' },
      { type: 'seatEliminated', seat: 'west', reason: 'noMoves' },
    ])
  })
})

test('R-FIGHT-2: a repelled attack on the flag leaves it to be attacked again', () => {
  const rules = rulesOf('duel', { flagCapture: 'engineerOnly' })
  const start = gameOf(rules, 'south', 'S 5b11 3e1 Fd1 / N 3e12 Fb12')
  const { state } = play(start, 'b11-b12')
  expect(state.result).toBe(null)
  expect(legalMoves(state, 'south')).toContainEqual({ from: 'b11', to: 'b12' })
})
