import {
  applyCommand,
  type GameEvent,
  type GameState,
  invariant,
  legalMoves,
  parseRecord,
  perft,
  SEATS,
  type Seat,
  type Viewer,
  viewEvent,
} from '@junqi/engine'
import type { RowName } from './budgets.ts'
import { type Measured, measured } from './report.ts'
import type { Group } from './scale.ts'
import { benchRules, makeScript, type Script, startOf } from './scripts.ts'

const FORMATION = '963175358137B246L2LB4FL21'
const VIEWERS: readonly Viewer[] = [...SEATS, 'spectator']

/** The corpus: random games, always the same. */
const GAMES = 10
const LENGTH = 400
const MIDDLE = 150
/** Each figure is the best of so many, since noise only ever adds. */
const TRIES = 5

/** Microseconds a call, so many times. */
function microseconds(rounds: number, calls: number, run: () => void): number[] {
  run()
  return Array.from({ length: rounds }, () => {
    let best = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const at = performance.now()
      run()
      best = Math.min(best, ((performance.now() - at) * 1000) / calls)
    }
    return best
  })
}

export const engineGroup: Group = {
  rows: ['perft-duel', 'perft-siguo', 'legal-moves', 'decide-evolve', 'views', 'replay'],
  *measure({ rounds }, wanted) {
    if (wanted.has('perft-duel')) yield perftRow('perft-duel', rounds)
    if (wanted.has('perft-siguo')) yield perftRow('perft-siguo', rounds)
    const games = Array.from({ length: GAMES }, (_, i) => makeScript(benchRules(), LENGTH, i + 1))
    const steps = games.map(stepsOf)
    if (wanted.has('legal-moves')) yield legalMovesRow(steps, rounds)
    if (wanted.has('decide-evolve')) yield decideRow(steps.flat(), rounds)
    if (wanted.has('views')) yield viewsRow(steps.flat(), rounds)
    if (wanted.has('replay')) yield replayRow(games, rounds)
  },
}

const PERFT: Readonly<
  Record<'perft-duel' | 'perft-siguo', { preset: string; seats: readonly Seat[]; depth: number }>
> = {
  'perft-duel': { preset: 'duel', seats: ['south', 'north'], depth: 4 },
  'perft-siguo': { preset: 'siguo', seats: SEATS, depth: 3 },
}

function perftRow(row: keyof typeof PERFT, rounds: number): Measured {
  const { preset, seats, depth } = PERFT[row]
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
  const each = microseconds(rounds, leaves, () => perft(record.value, depth))
  return measured(
    row,
    each.map((us) => 1 / us),
    [],
    `${leaves.toLocaleString('en')} leaves`,
  )
}

function legalMovesRow(games: readonly (readonly Step[])[], rounds: number): Measured {
  const repeated = 200
  const positions = games.flatMap((steps) => {
    const state = steps[MIDDLE]?.before
    return state?.toMove ? [{ state, seat: state.toMove }] : []
  })
  return row('legal-moves', rounds, positions.length * repeated, () => {
    for (let i = 0; i < repeated; i++)
      for (const { state, seat } of positions) legalMoves(state, seat)
  })
}

function decideRow(steps: readonly Step[], rounds: number): Measured {
  const plain = steps.filter(
    ({ events }) => events.length === 1 && events[0]?.type === 'pieceMoved',
  )
  return row('decide-evolve', rounds, plain.length, () => {
    for (const { before, seat, from, to } of plain)
      applyCommand(before, { type: 'movePiece', seat, from, to })
  })
}

function viewsRow(steps: readonly Step[], rounds: number): Measured {
  const seen: unknown[] = []
  return row('views', rounds, steps.length, () => {
    // Kept, so that no compiler leaves out what nobody would look at.
    seen.length = 0
    for (const { after, events } of steps)
      for (const event of events)
        for (const viewer of VIEWERS) seen.push(viewEvent(after, event, viewer))
  })
}

function replayRow(games: readonly Script[], rounds: number): Measured {
  const each = microseconds(rounds, games.length, () => {
    for (const script of games) {
      let state = startOf(script.formations)
      for (const { seat, move } of script.moves) {
        const next = applyCommand(state, { type: 'movePiece', seat, ...move })
        if (next.ok) state = next.value.state
      }
    }
  })
  return measured(
    'replay',
    each.map((us) => us / 1000),
  )
}

const row = (name: RowName, rounds: number, calls: number, run: () => void): Measured =>
  measured(name, microseconds(rounds, calls, run))

interface Step {
  readonly before: GameState
  readonly after: GameState
  readonly seat: Seat
  readonly from: string
  readonly to: string
  readonly events: readonly GameEvent[]
}

/** Every step of a game. */
function stepsOf(script: Script): readonly Step[] {
  let before = startOf(script.formations)
  return script.moves.map(({ seat, move }) => {
    const next = applyCommand(before, { type: 'movePiece', seat, ...move })
    invariant(next.ok, 'a scripted move is legal')
    const step = { before, after: next.value.state, seat, ...move, events: next.value.events }
    before = next.value.state
    return step
  })
}
