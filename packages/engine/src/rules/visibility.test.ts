import { describe, expect, test } from 'vitest'
import { gameOf, play, rulesOf, startedGame } from '../../test/game-at.ts'
import { evolve } from '../evolve.ts'
import { SEATS, type Seat } from '../seat.ts'
import type { GameState } from '../state.ts'
import { viewEvent } from '../view/view-event.ts'
import { viewGame } from '../view/view-game.ts'
import type { Viewer } from '../view/viewer.ts'
import type { RuleOptions } from './rule-set.ts'

/** The seats of which a viewer sees every kind that is on the board. */
function armiesSeen(state: GameState, viewer: Viewer): string {
  const { pieces } = viewGame(state, viewer)
  const seen = SEATS.filter((seat) => {
    const army = pieces.filter(({ id }) => id.startsWith(seat))
    return army.length > 0 && army.every(({ kind }) => kind !== 'hidden')
  })
  return seen.join(' ') || 'none'
}

const kindAt = (state: GameState, viewer: Viewer, space: string) =>
  viewGame(state, viewer).pieces.find((piece) => piece.space === space)?.kind

describe('R-SEE-1: who sees whose pieces in play', () => {
  test.each<[string, Viewer, string]>([
    ['siguo', 'south', 'south'],
    ['siguo', 'west', 'west'],
    ['siguo-ally-open', 'south', 'south north'],
    ['siguo-ally-open', 'west', 'east west'],
    ['siguo-open', 'east', 'south east north west'],
    ['duel', 'north', 'north'],
    ['duel-open', 'north', 'south north'],
    ['sanguo', 'east', 'east'],
  ])('R-SEE-1: in %s %s sees: %s', (preset, viewer, expected) => {
    expect(armiesSeen(startedGame(rulesOf(preset)), viewer)).toBe(expected)
  })

  test.each<[string, string]>([
    ['siguo', 'none'],
    ['siguo-ally-open', 'none'],
    ['siguo-open', 'south east north west'],
    ['duel-open', 'south north'],
  ])('R-SEE-4, F-H1: in %s a spectator sees: %s', (preset, expected) => {
    expect(armiesSeen(startedGame(rulesOf(preset)), 'spectator')).toBe(expected)
  })

  test('R-SEE-4, F-H1: a seat that is not in the game sees what spectators see', () => {
    const state = startedGame(rulesOf('duel'))
    expect(viewGame(state, 'west')).toEqual(viewGame(state, 'spectator'))
  })

  test('R-SEE-1: under allyOpen with nobody allied, everyone sees its own', () => {
    const state = startedGame(rulesOf('siguo-free', { visibility: 'allyOpen' }))
    expect(armiesSeen(state, 'south')).toBe('south')
  })
})

describe('R-SEE-2: kinds shown to everyone', () => {
  test('R-SEE-2: a revealed flag', () => {
    const start = gameOf(rulesOf('duel'), 'south', 'S Ba6 3a1 Fd1 / N 9a7 3e12 Fb12')
    const { state } = play(start, 'a6-a7')
    for (const viewer of ['south', 'north', 'spectator'] as const) {
      expect(kindAt(state, viewer, 'b12')).toBe('flag')
    }
    expect(kindAt(state, 'spectator', 'd1')).toBe('hidden')
  })

  test('R-SEE-2: a scouted officer, and its ally’s viewer too', () => {
    const scouting = rulesOf('siguo', { engineerScout: true })
    const armies = 'S 1g6 3g1 Fh1 / E 3q9 4p11 Fq8 / N 3k13 Fj17 / W 5f7 3b9 Fa10'
    const { state } = play(gameOf(scouting, 'south', armies), 'g6-f7')
    expect(SEATS.map((seat) => kindAt(state, seat, 'f7'))).toEqual(Array(4).fill('colonel'))
    expect(kindAt(state, 'spectator', 'f7')).toBe('colonel')
  })
})

test('R-SEE-3: a hidden piece is its seat and its space, and nothing else', () => {
  const view = viewGame(startedGame(rulesOf('duel')), 'south')
  const hidden = view.pieces.filter(({ kind }) => kind === 'hidden')
  expect(hidden).toHaveLength(25)
  expect(hidden[0]).toEqual({ id: 'north:a10', space: 'a10', kind: 'hidden' })
  expect(view.formations.north).toBe(null)
})

test('R-SEE-5, F-H8: a piece’s id is its seat and first space, wherever it goes', () => {
  const { state } = play(startedGame(rulesOf('duel')), 'a6-b5', 'a7-b8', 'b5-a6')
  expect(viewGame(state, 'north').pieces.find(({ space }) => space === 'a6')).toEqual({
    id: 'south:a6',
    space: 'a6',
    kind: 'hidden',
  })
})

describe('R-OUT-6: what a player sees after it is out', () => {
  /** South goes out by its captured flag; north, east and west play on. */
  const start = (preset: string, options: RuleOptions) =>
    gameOf(
      rulesOf(preset, { leaving: 'forfeit', resignFromMove: 0, ...options }),
      'south',
      'S 5g5 9g4 Fh1 / E 5l7 Fq8 / N 5k13 Fj17 / W 5f11 Fa10',
    )

  test.each<[string, string, RuleOptions, string]>([
    ['ally', 'siguo', { eliminatedView: 'ally' }, 'north'],
    ['own', 'siguo', { eliminatedView: 'own' }, 'none'],
    ['public', 'siguo', { eliminatedView: 'public' }, 'none'],
    ['own, allies open', 'siguo-ally-open', { eliminatedView: 'own' }, 'north'],
    ['public, allies open', 'siguo-ally-open', { eliminatedView: 'public' }, 'none'],
    ['public, all open', 'siguo-open', { eliminatedView: 'public' }, 'east north west'],
    ['own, nobody allied', 'siguo-free', { eliminatedView: 'own' }, 'none'],
  ])('R-OUT-6: %s (%s)', (_, preset, options, expected) => {
    const { state } = play(start(preset, options), 'resign south')
    expect(armiesSeen(state, 'south')).toBe(expected)
  })

  test('R-OUT-6: under ally it still learns its ally’s moves by kind, and no others', () => {
    const { state } = play(start('siguo', {}), 'resign south', 'l7-l8', 'k13-k14')
    expect(kindAt(state, 'south', 'k14')).toBe('colonel')
    expect(kindAt(state, 'south', 'l8')).toBe('hidden')
  })

  test('R-OUT-6: the ally’s pieces come with its own elimination, and to it alone', () => {
    const { events, state } = play(start('siguo', {}), 'resign south')
    const [event] = events
    if (event === undefined) throw new Error('nothing happened')
    expect(viewEvent(state, event, 'south')).toEqual([
      event,
      {
        type: 'piecesShown',
        pieces: [
          { space: 'j17', kind: 'flag' },
          { space: 'k13', kind: 'colonel' },
        ],
      },
    ])
    for (const viewer of ['east', 'north', 'west', 'spectator'] as const) {
      expect(viewEvent(state, event, viewer)).toEqual([event])
    }
  })

  test.each<[string, RuleOptions]>([
    ['siguo', { eliminatedView: 'ally' }],
    ['siguo-ally-open', { eliminatedView: 'own' }],
  ])('R-OUT-6, F-H12: a seat that left is a spectator (%s)', (preset, options) => {
    const { state } = play(start(preset, options), 'leave south')
    expect(viewGame(state, 'south')).toEqual(viewGame(state, 'spectator'))
  })

  test('R-OUT-6: what was shown to everyone stays shown to who left', () => {
    const armies = 'S Bg6 3g5 Fh1 / E 3q9 4p11 Fq8 / N 9g9 3k13 Fj17 / W 9f7 3b9 Fa10'
    const rules = rulesOf('siguo-ally-open', { leaving: 'forfeit', engineerScout: true })
    const { state } = play(gameOf(rules, 'west', armies), 'f7-g6', 'leave west')
    expect(kindAt(state, 'west', 'a10')).toBe(undefined)
    expect(viewGame(state, 'west')).toEqual(viewGame(state, 'spectator'))
  })
})

describe('R-END-6: at the end everything is shown to everyone', () => {
  test.each(['south', 'north', 'spectator'] as const)('R-END-6: to %s', (viewer) => {
    const started = startedGame(rulesOf('duel'))
    const { state, events } = play(started, 'draw agreed')
    expect(armiesSeen(state, viewer)).toBe('south north')
    expect(viewGame(state, viewer).formations).toEqual(state.formations)
    expect(events.flatMap((event) => viewEvent(state, event, viewer))).toEqual([
      { type: 'gameEnded', winners: [], reason: 'agreed', formations: state.formations },
    ])
  })
})

describe('R-DEPLOY-6: formations', () => {
  test.each<[string, Viewer, readonly Seat[]]>([
    ['siguo', 'south', ['south']],
    ['siguo', 'spectator', []],
    ['siguo-ally-open', 'south', ['south', 'north']],
    ['siguo-open', 'spectator', ['south', 'east', 'north', 'west']],
  ])('R-DEPLOY-6: in %s %s knows those of %j', (preset, viewer, seats) => {
    const { formations } = viewGame(startedGame(rulesOf(preset)), viewer)
    expect(SEATS.filter((seat) => formations[seat] !== null)).toEqual(seats)
  })

  test('R-DEPLOY-6: an ally’s pieces that are left do not tell its formation', () => {
    const rules = rulesOf('siguo', { resignFromMove: 0 })
    const { state } = play(startedGame(rules), 'resign south')
    expect(armiesSeen(state, 'south')).toBe('north')
    expect(viewGame(state, 'south').formations.north).toBe(null)
  })
})

test('R-FIGHT-7: the two that fought see no kind of each other afterwards', () => {
  const start = gameOf(rulesOf('duel'), 'south', 'S 5a6 3e1 Fd1 / N 3a7 3e12 Fb12')
  const { state } = play(start, 'a6-a7')
  expect(kindAt(state, 'north', 'a7')).toBe('hidden')
  expect(kindAt(state, 'south', 'a7')).toBe('colonel')
})

test('R-SEE-6, F-H3: an event of no known type is not passed on', () => {
  const state = startedGame(rulesOf('duel'))
  const unknown = JSON.parse('{"type":"kindsTold","south:a1":"flag"}')
  expect(() => viewEvent(state, unknown, 'north')).toThrow('unexpected value')
  expect(() => evolve(state, unknown)).toThrow('unexpected value')
})
