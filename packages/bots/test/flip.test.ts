import {
  applyCommand,
  boardOf,
  COLOURS,
  type Colour,
  type GameState,
  invariant,
  isFlipGame,
  kindOfSymbol,
  legalMoves,
  newGame,
  PIECE_KINDS,
  PIECES,
  type Piece,
  PRESETS,
  type Seat,
  shuffledLayout,
  viewGame,
} from '@junqi/engine'
import { describe, expect, test } from 'vitest'
import { unseenIn } from '../src/flip/flip-board.ts'
import type { Action, Level, Sight } from '../src/index.ts'
import { LEVELS, makeBrain, randomFrom } from '../src/index.ts'
import { momentsOf } from './games.ts'

const RULES = PRESETS.flip
const { indexOf, spaces } = boardOf(RULES)

/** A flip game in which these pieces are left, south plays red and is to move: `r9a6 b8a7`. */
function flipGame(text: string): GameState {
  const layout = shuffledLayout(randomFrom(1))
  const start = newGame(RULES, { type: 'gameStarted', formations: {}, layout, first: 'south' })
  const pieces: (Piece | null)[] = spaces.map(() => null)
  for (const name of text.split(' ')) {
    const [colour, kind] = [
      COLOURS.find((each) => name.startsWith(each)),
      kindOfSymbol(name.charAt(1)),
    ]
    const index = indexOf.get(name.slice(2))
    invariant(colour && kind && index !== undefined, `no piece ${name}`)
    const seat: Seat = colour === 'r' ? 'south' : 'north'
    pieces[index] = { id: `@${name.slice(2)}`, seat, kind, colour, shown: true }
  }
  const removed = (colour: Colour) =>
    PIECE_KINDS.flatMap((kind) => {
      const left = pieces.filter((piece) => piece?.colour === colour && piece.kind === kind).length
      return Array.from({ length: PIECES[kind].count - left }, () => kind)
    })
  invariant(start.flip !== null, 'a flip game')
  const flip = {
    ...start.flip,
    colours: { south: 'r', north: 'b' } as const,
    removed: { r: removed('r'), b: removed('b') },
  }
  return { ...start, pieces, flip }
}

const sightOf = (state: GameState, seat: Seat = 'south'): Sight => ({
  ruleSet: RULES,
  seat,
  view: viewGame(state, seat),
  history: [],
})

const actionOf = (level: Level, state: GameState): Action | null =>
  makeBrain(level, { random: randomFrom(2) }).act(sightOf(state))

describe.each(LEVELS)('in the flip game a brain of level %s', (level) => {
  test('R-FLIP-2: turns a piece up while the colours are not known', () => {
    const layout = shuffledLayout(randomFrom(1))
    const start = newGame(RULES, { type: 'gameStarted', formations: {}, layout, first: 'south' })
    expect(actionOf(level, start)?.type).toBe('flip')
  })

  test('R-FIGHT-4: takes what it beats', () => {
    const state = flipGame('r9a6 r5c3 b8a7 b4e9')
    expect(actionOf(level, state)).toEqual({ type: 'move', from: 'a6', to: 'a7' })
  })

  test('R-FLIP-7: takes the flag as soon as the rules let it', () => {
    const state = flipGame('r3c10 r9a6 b9e7 bFc11 b8e1')
    expect(actionOf(level, state)).toEqual({ type: 'move', from: 'c10', to: 'c11' })
  })
})

describe.each(['normal', 'hard'] as const)('in the flip game a brain of level %s', (level) => {
  test('does not leave an officer where a stronger one takes it', () => {
    const state = flipGame('r8a6 r3c1 b9a8 b4e12')
    const action = actionOf(level, state)
    invariant(action?.type === 'move', 'there is nothing to turn up')
    const applied = applyCommand(state, { ...action, type: 'movePiece', seat: 'south' })
    invariant(applied.ok, 'a legal move')
    const after = applied.value.state
    const general = after.pieces.findIndex((piece) => piece?.kind === 'general')
    const attacked = legalMoves(after, 'north').map(({ to }) => to)
    expect(attacked).not.toContain(spaces[general])
  })

  test('gives a bomb for a field marshal, not for an engineer', () => {
    const state = flipGame('rBc6 r5a1 b9c7 b1b6 b4e12')
    expect(actionOf(level, state)).toEqual({ type: 'move', from: 'c6', to: 'c7' })
  })
})

test('R-FLIP-1: what lies face down is counted right at every moment', () => {
  for (const { sight, state } of momentsOf(RULES, { seed: 8, every: 9 })) {
    invariant(sight.view.flip !== undefined && isFlipGame(sight.ruleSet), 'a flip game')
    const truth = COLOURS.map((colour) =>
      PIECE_KINDS.map(
        (kind) =>
          state.pieces.filter(
            (p) => p !== null && !p.shown && p.colour === colour && p.kind === kind,
          ).length,
      ),
    )
    expect(unseenIn(sight.view, sight.view.flip)).toEqual(truth)
  }
})
