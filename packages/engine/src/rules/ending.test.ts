import { describe, expect, test } from 'vitest'
import { gameOf, play, refusal, rulesOf, startedGame } from '../../test/game-at.ts'

const skips = (count: number) =>
  Array.from({ length: count }, (_, i) => `timeout ${i % 2 === 0 ? 'south' : 'north'}`)

test('R-END-1: nobody is left in: a draw by noMoves', () => {
  const { state } = play(gameOf(rulesOf('duel'), 'south', 'S 3a6 Fd1 / N 3a7 Fb12'), 'a6-a7')
  expect(state.result).toEqual({ winners: [], reason: 'noMoves' })
  expect(state.toMove).toBe(null)
})

test('R-END-2: the only alliance with a seat in wins, its out members too', () => {
  const start = gameOf(
    rulesOf('siguo-table'),
    'north',
    'S 3g5 Fh1 / E 3q9 4p11 Fq8 / N 3q9 Fj17 / W 3f11 Fa10',
  )
  const { state } = play(start, 'leave south', 'leave west', 'q9-q8')
  expect(state.result).toEqual({ winners: ['south', 'north'], reason: 'flagCaptured' })
})

test('R-END-2: comes before the quiet and the move limit', () => {
  const rules = rulesOf('duel', { quietMoveLimit: 1, maxMoves: 1, resignFromMove: 0 })
  const able = gameOf(rules, 'south', 'S 3a1 Fd1 / N 3e12 Fb12')
  expect(play(able, 'a1-a2').state.result).toEqual({ winners: [], reason: 'quietMoves' })
  const stuck = gameOf(rules, 'south', 'S 3a1 Fd1 / N Le12 Fb12')
  expect(play(stuck, 'a1-a2').state.result).toEqual({ winners: ['south'], reason: 'noMoves' })
})

describe('R-END-3: quiet moves', () => {
  const rules = rulesOf('duel', { quietMoveLimit: 3 })
  const armies = 'S 5a2 2a6 Le1 Fd1 / N 5e11 3a7 Fb12'

  test('R-END-3: so many in a row, of all seats together, are a draw', () => {
    const { state } = play(gameOf(rules, 'south', armies), 'a2-b2', 'e11-d11', 'b2-a2')
    expect(state.result).toEqual({ winners: [], reason: 'quietMoves' })
  })

  test('R-END-3: an attack that removes something begins anew, a repelled one is quiet', () => {
    const { state } = play(gameOf(rules, 'south', armies), 'a2-b2', 'e11-d11', 'a6-a7')
    expect([state.quiet, state.result]).toEqual([0, null])
    const repels = rulesOf('duel', { quietMoveLimit: 3, landmine: 'repels' })
    const mined = gameOf(repels, 'south', 'S 5a2 2a6 Le1 Fd1 / N 5e11 La7 Fb12')
    expect(play(mined, 'a6-a7', 'e11-d11', 'a6-a7').state.result?.reason).toBe('quietMoves')
  })

  test('R-END-3: a skipped turn is no move and changes no count', () => {
    const { state } = play(gameOf(rules, 'south', armies), 'a2-b2', 'e11-d11', 'timeout south')
    expect([state.quiet, state.moves, state.result]).toEqual([2, 2, null])
  })

  test('R-END-3: an elimination does not reset the count', () => {
    const free = rulesOf('siguo-free', { quietMoveLimit: 2 })
    const start = gameOf(free, 'south', 'S 5g5 Fh1 / E 5l7 Fq8 / N 5k13 Fj17 / W 5f11 Fa10')
    const { state } = play(start, 'g5-g4', 'leave north', 'l7-l8')
    expect(state.result?.reason).toBe('quietMoves')
  })
})

describe('R-END-4: too long', () => {
  test('R-END-4: maxMoves moves in all', () => {
    const rules = rulesOf('duel', { maxMoves: 2, resignFromMove: 0 })
    const { state } = play(startedGame(rules), 'a6-b5', 'a7-b8')
    expect(state.result).toEqual({ winners: [], reason: 'maxMoves' })
  })

  test('R-END-4: three skipped turns running per seat still in', () => {
    const rules = rulesOf('duel', { timeoutForfeit: null })
    expect(play(startedGame(rules), ...skips(5)).state.result).toBe(null)
    const { state } = play(startedGame(rules), ...skips(6))
    expect(state.result).toEqual({ winners: [], reason: 'abandoned' })
  })

  test('R-END-4: a move between begins the count anew', () => {
    const rules = rulesOf('duel', { timeoutForfeit: null })
    const { state } = play(startedGame(rules), ...skips(4), 'a6-b5', ...skips(6).slice(1))
    expect([state.skipped, state.result]).toEqual([5, null])
  })

  test('R-END-4: who goes out leaves fewer turns to skip', () => {
    const rules = rulesOf('siguo-free', { timeoutForfeit: null })
    const round = ['south', 'east', 'north', 'west'].map((seat) => `timeout ${seat}`)
    const { state } = play(startedGame(rules), ...round, ...round, 'timeout south')
    expect(state.result).toBe(null)
    expect(play(state, 'leave west').state.result?.reason).toBe('abandoned')
  })
})

describe('R-END-5: a draw by agreement', () => {
  const free = rulesOf('siguo-free')

  test('R-END-5: everybody else says yes, each answer at once', () => {
    const { state, events } = play(
      startedGame(free),
      'offer north',
      'yes east',
      'yes west',
      'yes south',
    )
    expect(state.result).toEqual({ winners: [], reason: 'agreed' })
    expect(events).toEqual([
      { type: 'drawOffered', seat: 'north', offer: 1 },
      { type: 'drawAnswered', seat: 'east', offer: 1, accept: true },
      { type: 'drawAnswered', seat: 'west', offer: 1, accept: true },
      { type: 'drawAnswered', seat: 'south', offer: 1, accept: true },
      { type: 'gameEnded', winners: [], reason: 'agreed' },
    ])
  })

  test('R-END-5: a no lapses it', () => {
    const { state } = play(startedGame(free), 'offer north', 'yes east', 'no west')
    expect([state.offer, state.result]).toEqual([null, null])
  })

  test('R-END-5: one offer at a time in a room', () => {
    const { state } = play(startedGame(free), 'offer north')
    expect(refusal(state, 'offer south')).toBe('draw_offer_open')
  })

  test('R-END-5: it lapses when its maker moves, is skipped or goes out', () => {
    const offered = play(startedGame(free), 'offer south').state
    for (const action of ['g6-g7', 'timeout south', 'leave south']) {
      const { state, events } = play(offered, action)
      expect(events.at(-1)).toEqual({ type: 'drawLapsed', offer: 1 })
      expect(state.offer).toBe(null)
    }
  })

  test('R-END-5: moves of others leave it open, and it stops no turn', () => {
    const { state } = play(startedGame(free), 'offer east', 'g6-g7', 'yes south')
    expect(state.offer).toEqual({ number: 1, by: 'east', accepted: ['south'] })
    expect([state.toMove, state.turn]).toEqual(['east', 1])
  })

  test('R-END-5: a seat that goes out needs no answer', () => {
    const { state } = play(startedGame(free), 'offer east', 'yes south', 'yes north')
    const { events } = play(state, 'leave west')
    expect(events).toEqual([
      { type: 'seatEliminated', seat: 'west', reason: 'left' },
      { type: 'gameEnded', winners: [], reason: 'agreed' },
    ])
  })

  test('R-END-5: a win comes before an agreement', () => {
    const three = play(startedGame(free), 'leave north', 'leave west', 'offer east').state
    const { state } = play(three, 'leave south')
    expect(state.result).toEqual({ winners: ['east'], reason: 'left' })
  })

  test('R-END-5: the same seat may offer again after 10 further turns of its own', () => {
    const turns = (count: number) =>
      Array.from({ length: count }, (_, i) => (i % 2 === 0 ? 'a6-b5' : 'b5-a6')).flatMap(
        (own, i) => [own, i % 2 === 0 ? 'a7-b8' : 'b8-a7'],
      )
    const start = play(startedGame(rulesOf('duel')), 'offer south', 'no north').state
    expect(refusal(start, 'offer south')).toBe('draw_offer_too_soon')
    expect(refusal(play(start, ...turns(9)).state, 'offer south')).toBe('draw_offer_too_soon')
    const { state } = play(start, ...turns(10), 'offer south')
    expect(state.offer?.number).toBe(2)
    expect(refusal(start, 'offer north')).toBe(null)
  })

  test('R-END-5: only an open offer is answered, once, by others', () => {
    const start = startedGame(free)
    expect(refusal(start, 'yes south')).toBe('no_such_offer')
    const { state } = play(start, 'offer east', 'yes south')
    expect(refusal(state, 'yes south')).toBe('already_answered')
    expect(refusal(state, 'no east')).toBe('already_answered')
    const { state: second } = play(state, 'no north', 'offer west')
    expect(refusal(second, 'yes south')).toBe(null)
  })
})

test('R-END-6: after the end nothing is played any more', () => {
  const { state } = play(startedGame(rulesOf('duel')), 'draw agreed')
  expect(state.result).toEqual({ winners: [], reason: 'agreed' })
  for (const action of ['timeout south', 'leave south', 'offer south', 'draw agreed']) {
    expect(refusal(state, action)).toBe('game_over')
  }
})

test('R-END-7: winners in seat order, for the reason of the last elimination', () => {
  const start = gameOf(
    rulesOf('siguo-table', { resignFromMove: 0 }),
    'east',
    'S 3g5 Fh1 / E 3l7 Fq8 / N 3k13 Fj17 / W 3f11 Fa10',
  )
  const { state } = play(start, 'leave north', 'resign east', 'leave west')
  expect(state.result).toEqual({ winners: ['south', 'north'], reason: 'left' })
})
