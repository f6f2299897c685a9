import {
  applyCommand,
  type GameEvent,
  type GameState,
  invariant,
  legalMoves,
  newGame,
  parseRecord,
  perft,
  SEATS,
  type Seat,
  type Viewer,
  viewEvent,
} from '@junqi/engine'
import { atLeast, atMost, type Row } from './report.ts'
import { benchRules, makeScript } from './scripts.ts'

const FORMATION = '963175358137B246L2LB4FL21'
const VIEWERS: readonly Viewer[] = [...SEATS, 'spectator']

/** Microseconds a call: the best of many rounds, since noise only ever adds. */
function microseconds(calls: number, run: () => void): number {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 15; round++) {
    const at = performance.now()
    run()
    best = Math.min(best, ((performance.now() - at) * 1000) / calls)
  }
  return best
}

export function* engineRows(): Generator<Row> {
  yield perftRow('duel', ['south', 'north'], 4)
  yield perftRow('siguo', SEATS, 3)
  const rules = benchRules()
  const script = makeScript(rules, 400, 7)
  const states = statesOf(400)
  const middle = states[150]?.before
  invariant(middle?.toMove, 'a game in play')
  const seat = middle.toMove
  yield atMost(
    'legal moves of a siguo seat, mid-game',
    microseconds(1000, () => {
      for (let i = 0; i < 1000; i++) legalMoves(middle, seat)
    }),
    4,
    'us',
  )
  const plain = states.filter(
    ({ events }) => events.length === 1 && events[0]?.type === 'pieceMoved',
  )
  yield atMost(
    'decide and evolve of a plain move',
    microseconds(plain.length, () => {
      for (const { before, from, to, seat: mover } of plain)
        applyCommand(before, { type: 'movePiece', seat: mover, from, to })
    }),
    3,
    'us',
  )
  yield atMost(
    'five views of one event',
    microseconds(states.length, () => {
      for (const { after, events } of states)
        for (const event of events) for (const viewer of VIEWERS) viewEvent(after, event, viewer)
    }),
    2,
    'us',
  )
  yield atMost(
    'replay of a 400-move record',
    microseconds(1, () => {
      let state = newGame(rules, {
        type: 'gameStarted',
        formations: Object.fromEntries(script.formations),
        first: 'south',
      })
      for (const { seat: mover, move } of script.moves) {
        const next = applyCommand(state, { type: 'movePiece', seat: mover, ...move })
        if (next.ok) state = next.value.state
      }
    }) / 1000,
    3,
    'ms',
  )
}

function perftRow(preset: string, seats: readonly Seat[], depth: number): Row {
  const record = parseRecord({
    format: 'junqi-record/1',
    rules: { preset, options: {} },
    formations: Object.fromEntries(seats.map((seat) => [seat, FORMATION])),
    first: 'south',
    actions: [],
    result: null,
  })
  invariant(record.ok, 'the perft record is valid')
  const leaves = perft(record.value, depth)
  const us = microseconds(leaves, () => perft(record.value, depth))
  return atLeast(`perft ${preset} depth ${depth}`, 1 / us, 9, 'million leaves/s')
}

interface Step {
  readonly before: GameState
  readonly after: GameState
  readonly seat: Seat
  readonly from: string
  readonly to: string
  readonly events: readonly GameEvent[]
}

/** Every step of a random game. */
function statesOf(length: number): readonly Step[] {
  const rules = benchRules()
  const script = makeScript(rules, length, 7)
  let before = newGame(rules, {
    type: 'gameStarted',
    formations: Object.fromEntries(script.formations),
    first: 'south',
  })
  return script.moves.map(({ seat, move }) => {
    const next = applyCommand(before, { type: 'movePiece', seat, ...move })
    invariant(next.ok, 'a scripted move is legal')
    const step = { before, after: next.value.state, seat, ...move, events: next.value.events }
    before = next.value.state
    return step
  })
}
