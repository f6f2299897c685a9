import {
  applyCommand,
  type GameState,
  invariant,
  legalMoves,
  type Move,
  newGame,
  type RuleSet,
  randomFormation,
  resolveRules,
  type Seat,
} from '@junqi/engine'

/** A seeded generator (mulberry32), so that every run plays the same games. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export const BENCH_OPTIONS = {
  firstSeat: 'south',
  turnSeconds: 600,
  quietMoveLimit: null,
} as const

/** The four-seat rules that every server row plays. */
export function benchRules(): RuleSet {
  const rules = resolveRules({ preset: 'siguo', options: BENCH_OPTIONS })
  invariant(rules.ok, 'the bench rules are valid')
  return rules.value
}

/** A game that is still running after `length` moves: formations, and who moves what. */
export interface Script {
  readonly formations: ReadonlyMap<Seat, string>
  readonly moves: readonly { readonly seat: Seat; readonly move: Move }[]
}

export interface PlayedScript extends Script {
  readonly state: GameState
}

/** The first random game from `seed` on that lasts `length` moves. */
export function makeScript(ruleSet: RuleSet, length: number, seed: number): PlayedScript {
  for (let attempt = 0; ; attempt++) {
    const script = tryScript(ruleSet, length, seededRandom(seed * 1000 + attempt))
    if (script !== null) return script
  }
}

/** Different games, up to ten, over and over: so many scripts. */
export function makeScripts(count: number, length: number): readonly Script[] {
  const rules = benchRules()
  const games = Array.from({ length: Math.min(count, 10) }, (_, i) =>
    makeScript(rules, length, i + 1),
  )
  return Array.from({ length: count }, (_, i) => games[i % games.length]).filter(
    (game) => game !== undefined,
  )
}

/** Where a script begins, and what each of its moves comes to. */
export function statesOf({ formations, moves }: Script): readonly GameState[] {
  const start = startOf(formations)
  let state = start
  const after = moves.map(({ seat, move }) => {
    const next = applyCommand(state, { type: 'movePiece', seat, ...move })
    invariant(next.ok, 'a scripted move is legal')
    state = next.value.state
    return state
  })
  return [start, ...after]
}

export const startOf = (
  formations: Script['formations'],
  ruleSet: RuleSet = benchRules(),
): GameState =>
  newGame(ruleSet, {
    type: 'gameStarted',
    formations: Object.fromEntries(formations),
    first: 'south',
  })

function tryScript(ruleSet: RuleSet, length: number, random: () => number): PlayedScript | null {
  const formations = new Map(ruleSet.seats.map((seat) => [seat, randomFormation(ruleSet, random)]))
  let state = startOf(formations, ruleSet)
  const moves: { seat: Seat; move: Move }[] = []
  while (moves.length < length) {
    const seat = state.toMove
    if (seat === null) return null
    const legal = legalMoves(state, seat)
    const move = legal[Math.floor(random() * legal.length)]
    if (move === undefined) return null
    const next = applyCommand(state, { type: 'movePiece', seat, ...move })
    invariant(next.ok, 'a legal move is accepted')
    state = next.value.state
    moves.push({ seat, move })
  }
  return state.result === null ? { formations, moves, state } : null
}
