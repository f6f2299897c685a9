import {
  evolve,
  type GameEvent,
  type GameState,
  invariant,
  isPublicEvent,
  legalFlips,
  legalMoves,
  newGame,
  type PublicEvent,
  type Seat,
  type SpaceId,
  type Viewer,
  viewEvent,
  viewGame,
} from '@junqi/engine'
import type { RoomView, ViewedEvent } from '@junqi/protocol'
import { type SealStep, sealStepOf, ToldSeal } from './told-seal.ts'

/** What each viewer must see of one entry of a room's log, by the engine's own views. */
export interface ExpectedEntry {
  /** What led to it, for a person: `action 17 (g6-g7)`. */
  readonly cause: string
  /** The game after it; null: before play. */
  readonly game: GameState | null
  /** Whether deployment or a turn runs after it. */
  readonly isTimed: boolean
  readonly eventsSeenBy: (viewer: Viewer) => readonly ViewedEvent[]
  readonly seal: SealStep
  readonly viewOf: (viewer: Viewer) => ExpectedView | null
}

/** What a room's view holds of its game. */
export type ExpectedView = Pick<
  RoomView,
  'phase' | 'rules' | 'you' | 'game' | 'history' | 'legalMoves' | 'flips'
>

/** The events of an entry: those round the game, which all see alike, and then those of the game. */
export interface EntryEvents {
  readonly table?: readonly ViewedEvent[]
  readonly game?: readonly GameEvent[]
}

/** The log that a room must come to have, built beside the server from what is asked of it. */
export class ExpectedLog {
  readonly seal = new ToldSeal()
  readonly #rules: RoomView['rules']
  readonly #entries: ExpectedEntry[] = []
  readonly #history: PublicEvent[] = []
  /** By version; they are the server's to choose, but alike for all. */
  readonly #deadlines = new Map<number, number | null>()
  #game: GameState | null = null
  #isTimed = false

  constructor(rules: RoomView['rules']) {
    this.#rules = rules
  }

  /** Of the entry that must come last. */
  get version(): number {
    return this.#entries.length
  }

  at(version: number): ExpectedEntry | null {
    return this.#entries[version - 1] ?? null
  }

  expect(cause: string, { table = [], game: events = [] }: EntryEvents): void {
    const steps = events.map((event) => {
      const after = this.#after(event)
      this.#game = after
      if (isPublicEvent(event)) this.#history.push(event)
      return { event, after }
    })
    const game = this.#game
    if (game !== null || table.some(({ type }) => type === 'deploymentStarted')) {
      this.#isTimed = true
    }
    if (game !== null && game.result !== null) this.#isTimed = false
    const history = [...this.#history]
    this.#entries.push({
      cause,
      game,
      isTimed: this.#isTimed,
      eventsSeenBy: (viewer) => [
        ...table,
        ...steps.flatMap(({ event, after }) => viewEvent(after, event, viewer)),
      ],
      seal: sealStepOf(events),
      viewOf: (viewer) => game && { ...viewOf(game, viewer), rules: this.#rules, history },
    })
  }

  /** The deadline that everyone must be told with an entry, when one of them is told `until`. */
  deadlineAt(version: number, until: number | null): number | null {
    const told = this.#deadlines.get(version)
    if (told !== undefined) return told
    this.#deadlines.set(version, until)
    return until
  }

  #after(event: GameEvent): GameState {
    if (event.type === 'gameStarted') return newGame(this.#rules.ruleSet, event)
    invariant(this.#game !== null, `${event.type} before the game`)
    return evolve(this.#game, event)
  }
}

const viewOf = (game: GameState, viewer: Viewer): Omit<ExpectedView, 'rules' | 'history'> => ({
  phase: game.result === null ? 'playing' : 'finished',
  you: { seat: viewer === 'spectator' ? null : viewer, draft: null },
  game: viewGame(game, viewer),
  legalMoves: viewer === 'spectator' ? {} : targetsOf(game, viewer),
  ...(game.flip !== null && { flips: viewer === 'spectator' ? [] : legalFlips(game, viewer) }),
})

function targetsOf(game: GameState, seat: Seat): RoomView['legalMoves'] {
  const targets: Record<SpaceId, SpaceId[]> = {}
  for (const { from, to } of legalMoves(game, seat)) {
    targets[from] = [...(targets[from] ?? []), to]
  }
  return targets
}
