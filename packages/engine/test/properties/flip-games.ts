import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import {
  boardOf,
  COLOURS,
  evolve,
  evolveView,
  type GameEvent,
  type GameState,
  type GameView,
  PIECE_KINDS,
  type Piece,
  parseRecord,
  type RuleOptions,
  recordOf,
  replay,
  replayRecord,
  SEATS,
  type SeatEvent,
  type Viewer,
  viewEvent,
  viewGame,
  viewOfStart,
} from '../../src/index.ts'
import { symbolOf } from '../../src/layout.ts'
import { playRandomly, type RandomGame } from '../random-game.ts'

const VIEWERS: readonly Viewer[] = ['south', 'north', 'spectator']

/** Every form of every field of the flip game, in turn. */
const FORMS: readonly RuleOptions[] = (['engineer', 'twoInARow', 'first'] as const).flatMap(
  (flipColour) =>
    (['engineersAndBombs', 'engineers'] as const).flatMap((flipMines) =>
      (['smallest', 'engineer', 'any'] as const).map((flipFlag) => ({
        flipColour,
        flipMines,
        flipFlag,
      })),
    ),
)

/** What became of the games that were played. */
export interface Tally {
  readonly games: number
  readonly ends: ReadonlyMap<string, number>
}

/** Plays so many flip games at random and holds each to its promises, at every event. */
export function playFlipGames(games: number, firstSeed: number): Tally {
  const ends = new Map<string, number>()
  for (let n = 0; n < games; n++) {
    const options = FORMS[n % FORMS.length] ?? {}
    const game = playRandomly({ preset: 'flip', options, seed: firstSeed + n, length: 600 })
    holdToPromises(game)
    const end = game.end.result?.reason ?? 'goes on'
    ends.set(end, (ends.get(end) ?? 0) + 1)
  }
  return { games, ends }
}

function holdToPromises(game: RandomGame): void {
  const events = [game.started, ...game.steps.flatMap((step) => step.events)]
  // Replay equals live, and all of it survives JSON.
  const stored: readonly GameEvent[] = JSON.parse(JSON.stringify(events))
  expectSame(replay(game.start.ruleSet, stored), game.end)
  expectSame(JSON.parse(JSON.stringify(game.end)), game.end)
  holdRecord(game, stored)
  let state = game.start
  const views = new Map(VIEWERS.map((viewer) => [viewer, firstView(game, viewer)]))
  holdState(game, state)
  for (const event of game.steps.flatMap((step) => step.events)) {
    state = evolve(state, event)
    holdState(game, state)
    for (const viewer of VIEWERS) {
      const told = viewEvent(state, event, viewer)
      holdTold(state, told)
      const before = views.get(viewer)
      if (before === undefined) throw new Error('nobody looks')
      const seen = told.reduce(
        (view, item) => evolveView(state.ruleSet, view, viewer, item),
        before,
      )
      expectSame(seen, viewGame(state, viewer))
      holdView(state, seen)
      views.set(viewer, seen)
    }
  }
}

function holdRecord(game: RandomGame, events: readonly GameEvent[]): void {
  const record = parseRecord(JSON.parse(JSON.stringify(recordOf(game.rules, events))))
  if (!record.ok) throw new Error(record.error)
  const replayed = replayRecord(record.value)
  if (!replayed.ok) throw new Error(replayed.error.action)
  const { pieces, flip, result, moves, quiet, toMove } = replayed.value.state
  const live = game.end
  expectSame([pieces, flip], [live.pieces, live.flip])
  expectSame([result, moves, quiet, toMove], [live.result, live.moves, live.quiet, live.toMove])
}

/** Pieces are conserved: what is on the board and what was removed is the layout, unless a seat is out. */
function holdState({ started }: RandomGame, { ruleSet, pieces, flip, seats }: GameState): void {
  const { spaces } = boardOf(ruleSet)
  const onBoard: Piece[] = []
  for (const [index, piece] of pieces.entries()) {
    if (piece === null) continue
    onBoard.push(piece)
    if (piece.shown) expectSame(piece.seat, ownerOf(flip, piece.colour))
    else expectSame([piece.id, piece.seat], [`@${spaces[index]}`, null])
  }
  expectSame(new Set(onBoard.map(({ id }) => id)).size, onBoard.length)
  if (SEATS.some((seat) => seats[seat]?.out)) return
  const symbols = onBoard.map(({ colour = 'r', kind }) => symbolOf({ colour, kind }))
  for (const colour of COLOURS) {
    for (const kind of flip?.removed[colour] ?? []) symbols.push(symbolOf({ colour, kind }))
  }
  expectSame(symbols.sort(), [...(started.layout ?? [])].sort())
}

function ownerOf(flip: GameState['flip'], colour: string | undefined): string | null {
  if (!flip?.colours) return null
  return flip.colours.south === colour ? 'south' : 'north'
}

/** Nobody sees what lies face down before the end, in whatever order or number. */
function holdView(state: GameState, view: GameView): void {
  if (state.result !== null) return
  const { indexOf } = boardOf(state.ruleSet)
  expectSame(view.flip?.layout, null)
  for (const piece of view.pieces) {
    if (state.pieces[indexOf.get(piece.space) ?? -1]?.shown) continue
    expectSame(piece, { id: `@${piece.space}`, space: piece.space, kind: 'hidden', colour: null })
  }
}

/** Nor is anyone told of it: before the end a kind is named of the piece that is turned up, and of no other. */
function holdTold(state: GameState, told: readonly SeatEvent[]): void {
  if (state.result !== null) return
  for (const item of told) {
    const { kind, ...rest } = item.type === 'pieceFlipped' ? item : { ...item, kind: null }
    if (NAMES.test(JSON.stringify(rest))) expect(rest).toBe(`of what lies face down (${kind})`)
  }
}

const NAMES = new RegExp(`"(?:layout|${PIECE_KINDS.join('|')})"`)

function firstView({ start, started }: RandomGame, viewer: Viewer): GameView {
  const [seen] = viewEvent(start, started, viewer)
  if (seen?.type !== 'gameStarted') throw new Error('the start was not told')
  holdTold(start, [seen])
  return viewOfStart(start.ruleSet, seen)
}

/** `toEqual`, but quick as long as they are: these are compared by the thousand. */
function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected)
}
