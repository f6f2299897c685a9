import { describe, expect, test } from 'vitest'
import { flipAt } from '../../test/flip-at.ts'
import { pieceAt, play, refusal } from '../../test/game-at.ts'
import type { RuleOptions } from './rule-set.ts'

/** Both sides go on after the attack on c6 from c5. */
const REST = '12 [] b9 [] r9 []'

interface Case {
  readonly attack: string
  /** Beside the attacker, the target and a field marshal of each side: more of a row. */
  readonly row?: string
  readonly under?: string
  readonly options?: RuleOptions
}

function standing({ attack, row = '2 [] [] [] [] []', under = '', options = {} }: Case) {
  const [attacker, defender] = attack.split('x')
  const drawing = [REST, `6 [] [] ${defender} [] []`, `5 [] () ${attacker} () []`, row]
  return flipAt(drawing.join('\n'), { under, options })
}

/** What the attack on c6 from c5 leads to, or why it is refused. */
function outcome(each: Case): string {
  const state = standing(each)
  const code = refusal(state, 'c5-c6')
  if (code !== null) return code
  const attacked = play(state, 'c5-c6').events.find(({ type }) => type === 'pieceAttacked')
  return attacked?.type === 'pieceAttacked' ? attacked.outcome : 'no attack'
}

const WINS = 'attackerWins'
const LOSES = 'defenderWins'
const BOTH = 'bothRemoved'
const ILLEGAL = 'illegal_move'
const ENGINEERS: RuleOptions = { flipMines: 'engineers' }

describe('R-FLIP-6: who may attack a landmine', () => {
  test.each<[string, Case, string]>([
    ['R-FLIP-6: an engineer wins', { attack: 'r1xbL' }, WINS],
    ['R-FLIP-6: a bomb is removed with it', { attack: 'rBxbL' }, BOTH],
    [
      'R-FLIP-6: no officer while the side has an engineer',
      { attack: 'r2xbL', row: '2 r1 [] [] [] []' },
      ILLEGAL,
    ],
    ['R-FLIP-6: or a bomb', { attack: 'r2xbL', row: '2 rB [] [] [] []' }, ILLEGAL],
    [
      'R-FLIP-6: a face-down engineer counts',
      { attack: 'r2xbL', row: '2 @? [] [] [] []', under: 'r1' },
      ILLEGAL,
    ],
    [
      'R-FLIP-6: a face-down bomb counts',
      { attack: 'r2xbL', row: '2 @? [] [] [] []', under: 'rB' },
      ILLEGAL,
    ],
    [
      "R-FLIP-6: the enemy's do not",
      { attack: 'r2xbL', row: '2 @? bB [] [] []', under: 'b1' },
      BOTH,
    ],
    ['R-FLIP-6: with neither left the smallest officers may', { attack: 'r2xbL' }, BOTH],
    ['R-FLIP-6: whatever these are', { attack: 'r7xbL', row: '2 r7 [] [] [] []' }, BOTH],
    [
      'R-FLIP-6: not one that is not the smallest',
      { attack: 'r3xbL', row: '2 r2 [] [] [] []' },
      ILLEGAL,
    ],
    [
      'R-FLIP-6: a face-down smaller one counts',
      { attack: 'r3xbL', row: '2 @? [] [] [] []', under: 'r2' },
      ILLEGAL,
    ],
    ['R-FLIP-6: engineers only: an engineer', { attack: 'r1xbL', options: ENGINEERS }, WINS],
    ['R-FLIP-6: engineers only: no bomb', { attack: 'rBxbL', options: ENGINEERS }, ILLEGAL],
    ['R-FLIP-6: engineers only: no last officer', { attack: 'r2xbL', options: ENGINEERS }, ILLEGAL],
    ['R-FLIP-6: an own landmine is attacked by nobody', { attack: 'r1xrL' }, ILLEGAL],
  ])('%s', (_, attack, expected) => {
    expect(outcome(attack)).toBe(expected)
  })
})

const MINE = '2 bL [] [] [] []'
const HIDDEN_MINE = { row: '2 @? [] [] [] []', under: 'bL' }

describe('R-FLIP-7: who may attack the flag', () => {
  test.each<[string, Case, string]>([
    ['R-FLIP-7: nobody while a landmine is left', { attack: 'r1xbF', row: MINE }, ILLEGAL],
    ['R-FLIP-7: one that lies face down', { attack: 'r1xbF', ...HIDDEN_MINE }, ILLEGAL],
    [
      'R-FLIP-7: whatever flipFlag says',
      { attack: 'r1xbF', row: MINE, options: { flipFlag: 'any' } },
      ILLEGAL,
    ],
    ["R-FLIP-7: own landmines don't matter", { attack: 'r1xbF', row: '2 rL [] [] [] []' }, WINS],
    ['R-FLIP-7: smallest: the smallest officers left', { attack: 'r4xbF' }, WINS],
    ['R-FLIP-7: smallest: no other', { attack: 'r4xbF', row: '2 r3 [] [] [] []' }, ILLEGAL],
    [
      'R-FLIP-7: smallest: a face-down smaller one counts',
      { attack: 'r4xbF', row: '2 @? [] [] [] []', under: 'r1' },
      ILLEGAL,
    ],
    [
      "R-FLIP-7: smallest: the enemy's does not",
      { attack: 'r4xbF', row: '2 @? b2 [] [] []', under: 'b1' },
      WINS,
    ],
    ['R-FLIP-7: never a bomb', { attack: 'rBxbF' }, ILLEGAL],
    ['R-FLIP-7: any: never a bomb', { attack: 'rBxbF', options: { flipFlag: 'any' } }, ILLEGAL],
    [
      'R-FLIP-7: any: any officer',
      { attack: 'r8xbF', row: '2 r1 [] [] [] []', options: { flipFlag: 'any' } },
      WINS,
    ],
    ['R-FLIP-7: engineer', { attack: 'r1xbF', options: { flipFlag: 'engineer' } }, WINS],
    [
      'R-FLIP-7: engineer: no other officer, even the smallest',
      { attack: 'r4xbF', options: { flipFlag: 'engineer' } },
      ILLEGAL,
    ],
    ['R-FLIP-7: the own flag is attacked by nobody', { attack: 'r1xrF' }, ILLEGAL],
  ])('%s', (_, attack, expected) => {
    expect(outcome(attack)).toBe(expected)
  })

  test('R-FLIP-7: it ends the game', () => {
    const { state, events } = play(standing({ attack: 'r1xbF' }), 'c5-c6')
    expect(events).toEqual([
      { type: 'pieceAttacked', from: 'c5', to: 'c6', outcome: WINS },
      { type: 'seatEliminated', seat: 'north', reason: 'flagCaptured' },
      { type: 'gameEnded', winners: ['south'], reason: 'flagCaptured' },
    ])
    expect(state.flip?.removed.b.at(-1)).toBe('flag')
  })
})

describe('R-FLIP-8: the other attacks', () => {
  test.each([
    ['R-FLIP-8, R-FIGHT-4: the higher wins', 'r5xb4', WINS],
    ['R-FLIP-8, R-FIGHT-4: the lower loses, though it knows', 'r4xb5', LOSES],
    ['R-FLIP-8, R-FIGHT-4: equals are both removed', 'r4xb4', BOTH],
    ['R-FLIP-8, R-FIGHT-1: a bomb takes its target with it', 'rBxb8', BOTH],
    ['R-FLIP-8, R-FIGHT-1: so it does when attacked', 'r1xbB', BOTH],
  ])('%s', (_, attack, expected) => {
    expect(outcome({ attack })).toBe(expected)
  })

  test('R-FLIP-8: a fallen field marshal shows no flag (R-FIGHT-8), an engineer no officer (R-FIGHT-6)', () => {
    const drawing = `${REST}\n6 [] [] b8 [] bF\n5 [] () rB () []\n3 b3 () [] () []\n2 r1 [] [] [] []`
    const { events, state } = play(flipAt(drawing), 'c5-c6', 'a3-a2')
    expect(events.map(({ type }) => type)).toEqual(['pieceAttacked', 'pieceAttacked'])
    expect(pieceAt(state, 'a2')?.kind).toBe('captain')
    const marshal = `12 [] {} [] r9 []\n6 [] [] b9 [] bF\n5 [] () rB () []\n2 b2 [] [] [] []`
    expect(play(flipAt(marshal), 'c5-c6').events.map(({ type }) => type)).toEqual(['pieceAttacked'])
  })
})
