import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  applyCommand,
  evolve,
  evolveView,
  type GameState,
  type GameView,
  legalFlips,
  legalFlipsInView,
  legalMoves,
  legalMovesInView,
  type Piece,
  SEATS,
  type Seat,
  type SeatEvent,
  seatsIn,
  type Viewer,
  viewEvent,
  viewGame,
  viewOfStart,
} from '../../src/index.ts'
import { type RandomGame, randomFrom, randomGames } from '../random-game.ts'

const VIEWERS: readonly Viewer[] = [...SEATS, 'spectator']

const firstView = ({ start, started }: RandomGame, viewer: Viewer): GameView => {
  const [seen] = viewEvent(start, started, viewer)
  if (seen?.type !== 'gameStarted') throw new Error('the start was not told')
  return viewOfStart(start.ruleSet, seen)
}

/** `toEqual`, but quick as long as they are: these are compared by the thousand. */
function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected)
}

test('R-SEE, R-OUT-6: the events a viewer sees lead to what it sees, at every event', () => {
  fc.assert(
    fc.property(randomGames(200), (game) => {
      const { ruleSet } = game.start
      for (const viewer of VIEWERS) {
        let state: GameState = game.start
        let view = firstView(game, viewer)
        expectSame(view, viewGame(state, viewer))
        for (const event of game.steps.flatMap(({ events }) => events)) {
          state = evolve(state, event)
          const seen: readonly SeatEvent[] = JSON.parse(
            JSON.stringify(viewEvent(state, event, viewer)),
          )
          view = seen.reduce((before, each) => evolveView(ruleSet, before, viewer, each), view)
          expectSame(view, viewGame(state, viewer))
        }
      }
    }),
    { numRuns: 40 },
  )
})

test('R-MOVE-6, R-FLIP-2: a seat finds its legal moves and flips from its own view', () => {
  fc.assert(
    fc.property(randomGames(200), ({ steps }) => {
      for (const { after } of steps.slice(-10)) {
        for (const seat of seatsIn(after.seats)) {
          const view = viewGame(after, seat)
          expect(legalMovesInView(after.ruleSet, view, seat)).toEqual(legalMoves(after, seat))
          expect(legalFlipsInView(after.ruleSet, view, seat)).toEqual(legalFlips(after, seat))
        }
      }
    }),
    { numRuns: 50 },
  )
})

/** Another game that a seat cannot tell from this one: hidden kinds of the others are shuffled. */
function twinFor(state: GameState, seat: Seat, seed: number): GameState {
  const seen = new Map(viewGame(state, seat).pieces.map(({ id, kind }) => [id, kind]))
  const random = randomFrom(seed)
  const pieces: (Piece | null)[] = [...state.pieces]
  // What lies face down in a flip game is nobody's, and of either colour.
  for (const other of [...state.ruleSet.seats, null]) {
    const hidden = [...pieces.keys()].filter((index) => {
      const piece = pieces[index]
      return piece?.seat === other && seen.get(piece.id) === 'hidden'
    })
    const dealt = hidden
      .map((index) => ({ piece: pieces[index], order: random() }))
      .sort((one, two) => one.order - two.order)
    for (const [i, index] of hidden.entries()) {
      const [piece, other] = [pieces[index], dealt[i]?.piece]
      if (piece && other) pieces[index] = { ...other, id: piece.id }
    }
  }
  return { ...state, pieces }
}

test('R-SEE-6, F-H4: views and refusals do not depend on hidden kinds', () => {
  fc.assert(
    fc.property(randomGames(200), fc.integer(), ({ steps }, seed) => {
      const state = steps.at(-1)?.before
      if (state === undefined) return
      for (const seat of seatsIn(state.seats)) {
        const twin = twinFor(state, seat, seed)
        expect(JSON.stringify(viewGame(twin, seat))).toBe(JSON.stringify(viewGame(state, seat)))
        expect(answersTo(twin, seat)).toEqual(answersTo(state, seat))
      }
    }),
    { numRuns: 40 },
  )
})

/** What every command of a seat is answered: accepted or not, and why not. */
function answersTo(state: GameState, seat: Seat): readonly string[] {
  const spaces = state.pieces.map((_, index) => index)
  const names = viewGame(state, seat).pieces.map(({ space }) => space)
  const moves = spaces.flatMap((i) => {
    const [from, to] = [names[i % names.length] ?? 'a1', names[(i * 7) % names.length] ?? 'a1']
    return [{ type: 'movePiece', seat, from, to } as const]
  })
  const flips = spaces.map((i) => {
    return { type: 'flipPiece', seat, space: names[i % names.length] ?? 'a1' } as const
  })
  const commands = [
    ...moves,
    ...flips,
    ...legalMoves(state, seat).map((move) => ({ type: 'movePiece', seat, ...move }) as const),
    { type: 'resign', seat } as const,
    { type: 'timeout', seat } as const,
    { type: 'offerDraw', seat } as const,
    { type: 'answerDraw', seat, offer: 1, accept: false } as const,
  ]
  return commands.map((command) => {
    const applied = applyCommand(state, command)
    return applied.ok ? 'accepted' : JSON.stringify(applied.error)
  })
}
