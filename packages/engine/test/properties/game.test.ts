import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  applyCommand,
  boardOf,
  decide,
  evolve,
  type GameCommand,
  type GameState,
  legalFlips,
  legalMoves,
  parseRecord,
  perft,
  type RuleSet,
  recordOf,
  replay,
  replayRecord,
  type Seat,
  seatsIn,
} from '../../src/index.ts'
import { countSequences } from '../../src/perft.ts'
import { type RandomGame, randomGames } from '../random-game.ts'

const idsOn = ({ pieces }: GameState) => pieces.flatMap((piece) => (piece ? [piece.id] : []))

const eventsOf = ({ started, steps }: RandomGame) => [
  started,
  ...steps.flatMap(({ events }) => events),
]

/** `toEqual`, but quick as long as they are: these are compared by the thousand. */
function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected)
}

const copyOf = (state: GameState): GameState => JSON.parse(JSON.stringify(state))

test('R-DEPLOY-1, R-OUT-2: pieces are never created, and change neither seat nor kind', () => {
  fc.assert(
    fc.property(randomGames(400), ({ start, steps }) => {
      const born = new Map(start.pieces.flatMap((p) => (p ? [[p.id, p.kind] as const] : [])))
      const strange = steps.flatMap(({ before, after }) => {
        const known = new Set(idsOn(before))
        return idsOn(after).filter((id, i, ids) => !known.has(id) || ids.indexOf(id) !== i)
      })
      expect(strange).toEqual([])
      for (const piece of steps.at(-1)?.after.pieces ?? []) {
        if (piece !== null) expect(piece.kind).toBe(born.get(piece.id))
      }
    }),
    { numRuns: 60 },
  )
})

test('R-END: a log replays to the live state, every event of it', () => {
  fc.assert(
    fc.property(randomGames(300), (game) => {
      const { ruleSet } = game.start
      expect(replay(ruleSet, eventsOf(game))).toEqual(game.end)
      let version = 1
      for (const { before, command, events, after } of game.steps) {
        version += events.length
        expectSame(decide(before, command), { ok: true, value: events })
        expectSame(events.reduce(evolve, before), after)
      }
      expect(version).toBe(eventsOf(game).length)
    }),
    { numRuns: 60 },
  )
})

test('a state survives JSON, and plays on as if nothing had happened', () => {
  fc.assert(
    fc.property(randomGames(200), ({ steps }) => {
      for (const { before, command, events, after } of steps.slice(-5)) {
        const copy = copyOf(before)
        expect(copy).toEqual(before)
        expect(applyCommand(copy, command)).toEqual({ ok: true, value: { events, state: after } })
      }
    }),
    { numRuns: 50 },
  )
})

test('R-MOVE-5, R-MOVE-6: the legal moves are exactly those that are accepted', () => {
  fc.assert(
    fc.property(randomGames(150), ({ end: { result }, steps }) => {
      const state = steps.at(-1)?.before
      if (state === undefined || state.toMove === null) return
      const seat = state.toMove
      const { spaces } = boardOf(state.ruleSet)
      const legal = new Set(legalMoves(state, seat).map(({ from, to }) => `${from}-${to}`))
      for (const from of spaces) {
        for (const to of spaces) {
          const applied = applyCommand(state, { type: 'movePiece', seat, from, to })
          if (applied.ok !== legal.has(`${from}-${to}`)) {
            expect(`${from}-${to} ${applied.ok} ${result}`).toBe('a legal move')
          }
        }
      }
    }),
    { numRuns: 25 },
  )
})

/** All that a seat may do to the board: moves, and flips in a flip game. */
const actionsOf = (state: GameState, seat: Seat): readonly GameCommand[] => [
  ...legalFlips(state, seat).map((space) => ({ type: 'flipPiece', seat, space }) as const),
  ...legalMoves(state, seat).map((move) => ({ type: 'movePiece', seat, ...move }) as const),
]

test('R-FLIP-2: the legal flips are exactly those that are accepted', () => {
  fc.assert(
    fc.property(randomGames(150), ({ steps }) => {
      const state = steps.at(-1)?.before
      const seat = state?.toMove
      if (state === undefined || !seat) return
      const accepted = boardOf(state.ruleSet).spaces.filter(
        (space) => applyCommand(state, { type: 'flipPiece', seat, space }).ok,
      )
      expect(accepted).toEqual(legalFlips(state, seat))
    }),
    { numRuns: 25 },
  )
})

test('R-OUT-3, R-FLIP-9: a seat still in has a legal move as long as the game goes on', () => {
  fc.assert(
    fc.property(randomGames(400), ({ steps }) => {
      const stuck = steps.flatMap(({ after }) =>
        after.result === null
          ? seatsIn(after.seats).filter((seat) => actionsOf(after, seat).length === 0)
          : [],
      )
      expect(stuck).toEqual([])
    }),
    { numRuns: 40 },
  )
})

test('a record of a game replays to the same position and result', () => {
  fc.assert(
    fc.property(randomGames(300), (game) => {
      const record = parseRecord(JSON.parse(JSON.stringify(recordOf(game.rules, eventsOf(game)))))
      if (!record.ok) throw new Error(record.error)
      const replayed = replayRecord(record.value)
      if (!replayed.ok) throw new Error(replayed.error.action)
      const { pieces, result, moves, quiet, toMove } = replayed.value.state
      expect(result).toEqual(record.value.result)
      expect({ pieces, result, moves, quiet, toMove }).toEqual({
        pieces: game.end.pieces,
        result: game.end.result,
        moves: game.end.moves,
        quiet: game.end.quiet,
        toMove: game.end.toMove,
      })
    }),
    { numRuns: 60 },
  )
})

/** The count by the engine's own moves, one made after the other. */
function countSlowly(state: GameState, depth: number): number {
  const seat = state.toMove
  if (seat === null) return 0
  const actions = actionsOf(state, seat)
  if (depth === 1) return actions.length
  return actions.reduce((sum, action) => {
    const applied = applyCommand(state, action)
    if (!applied.ok) throw new Error(applied.error.code)
    return sum + countSlowly(applied.value.state, depth - 1)
  }, 0)
}

test('R-OUT-3, R-END-3: the mirror of perft counts what the engine plays', () => {
  fc.assert(
    fc.property(randomGames(400), ({ steps, end }) => {
      const state = { ...(steps.at(-3)?.before ?? end), offer: null }
      for (const depth of [1, 2]) {
        expect(countSequences(state, depth)).toBe(countSlowly(state, depth))
      }
    }),
    { numRuns: 60 },
  )
})

test('perft of a record with an illegal action is a bug of the caller', () => {
  fc.assert(
    fc.property(randomGames(5), (game) => {
      const record = recordOf(game.rules, [game.started])
      expect(() => perft({ ...record, actions: ['a1-a1'] }, 1)).toThrow('illegal action')
      expect(perft(record, 0)).toBe(1)
    }),
    { numRuns: 5 },
  )
})

/** A quarter (or half) turn of the board: seats and spaces go where they look the same. */
function turning(ruleSet: RuleSet, turns: number) {
  const board = boardOf(ruleSet)
  const wide = ruleSet.board === 'siguo'
  const order: readonly Seat[] = ['south', 'east', 'north', 'west']
  const seat = (from: Seat): Seat => order[(order.indexOf(from) + turns) % 4] ?? from
  const space = (name: string): string => {
    let [x, y] = [name.charCodeAt(0) - 96, Number(name.slice(1))]
    const [width, height] = wide ? [18, 18] : [6, 13]
    for (let i = 0; i < turns; i += wide ? 1 : 2)
      [x, y] = wide ? [width - y, x] : [width - x, height - y]
    return `${String.fromCharCode(96 + x)}${y}`
  }
  return { board, seat, space }
}

test.each([
  ['siguo', 1],
  ['siguo-free', 3],
  ['siguo', 2],
  ['duel', 2],
  ['siguo-duel', 2],
] as const)(
  'R-TURN-1, R-BOARD: turning the seats of %s by %i commutes with play',
  (preset, turns) => {
    fc.assert(
      fc.property(randomGames(200, [preset]), ({ start, started, steps }) => {
        const { seat, space } = turning(start.ruleSet, turns)
        const formations = Object.fromEntries(
          start.ruleSet.seats.map((from) => [seat(from), started.formations[from]]),
        )
        let state = replay(start.ruleSet, [
          { type: 'gameStarted', formations, first: seat(started.first) },
        ])
        for (const { command, after } of steps) {
          const turned =
            command.type === 'agreeDraw'
              ? command
              : command.type === 'movePiece'
                ? {
                    ...command,
                    seat: seat(command.seat),
                    from: space(command.from),
                    to: space(command.to),
                  }
                : { ...command, seat: seat(command.seat) }
          const applied = applyCommand(state, turned)
          if (!applied.ok) throw new Error(applied.error.code)
          state = applied.value.state
          expect(state.toMove).toBe(after.toMove === null ? null : seat(after.toMove))
          expect(state.result?.reason).toBe(after.result?.reason)
        }
        const last = steps.at(-1)?.after ?? start
        const { spaces, indexOf } = boardOf(start.ruleSet)
        for (const [index, piece] of last.pieces.entries()) {
          const there = state.pieces[indexOf.get(space(spaces[index] ?? '')) ?? -1]
          expect(there?.kind).toBe(piece?.kind)
          expect(there?.seat).toBe(piece?.seat ? seat(piece.seat) : undefined)
        }
      }),
      { numRuns: 8 },
    )
  },
)
