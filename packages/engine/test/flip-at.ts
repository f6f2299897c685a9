import {
  boardOf,
  COLOURS,
  type Colour,
  type FlipState,
  type GameState,
  invariant,
  isFlipGame,
  newGame,
  PIECE_KINDS,
  PIECES,
  type Piece,
  type PieceKind,
  parsePosition,
  type RuleOptions,
  type Seat,
  shuffledLayout,
} from '../src/index.ts'
import { kindInLayout, type LayoutSymbol } from '../src/layout.ts'
import { layoutPlaces } from '../src/rules/flip-board.ts'
import { rulesOf } from './game-at.ts'

interface Setting {
  readonly options?: RuleOptions
  /** What lies under each `@?`, row 1 first, column a first: `r9 bL`. */
  readonly under?: string
  readonly toMove?: Seat
  /** South plays r, unless the colours are still open. */
  readonly colours?: 'known' | 'open'
}

/** A flip game that stands as drawn; rows that are not drawn are empty. All that is neither drawn nor under is removed. */
export function flipAt(
  drawing: string,
  { options = {}, under = '', toMove = 'south', colours = 'known' }: Setting = {},
): GameState {
  const ruleSet = rulesOf('flip', options)
  invariant(isFlipGame(ruleSet), 'a flip game')
  const start = newGame(ruleSet, {
    type: 'gameStarted',
    formations: {},
    layout: shuffledLayout(() => 0),
    first: toMove,
  })
  const flip: FlipState = {
    colours: colours === 'known' ? { south: 'r', north: 'b' } : null,
    first: null,
    latest: {},
    removed: { r: [], b: [] },
  }
  const pieces = piecesAt(start, drawing, { under, flip })
  return { ...start, flip: { ...flip, removed: removedFrom(pieces) }, pieces }
}

function piecesAt(
  { ruleSet }: GameState,
  drawing: string,
  { under, flip }: { readonly under: string; readonly flip: FlipState },
): (Piece | null)[] {
  const board = boardOf(ruleSet)
  const position = parsePosition(board, withAllRows(drawing))
  invariant(position.ok, position.ok ? '' : position.error)
  const hidden = under.split(' ').filter((symbol) => symbol !== '')
  const pieces: (Piece | null)[] = board.spaces.map(() => null)
  for (const index of [...layoutPlaces(board), ...board.spaces.keys()]) {
    const drawn = position.value[index]
    if (!drawn || pieces[index]) continue
    const id = `@${board.spaces[index]}` as const
    const { colour, kind } = drawn
    if (colour && kind !== 'hidden') {
      pieces[index] = { id, seat: ownerOf(flip, colour), kind, shown: true, colour }
    } else {
      const symbol = hidden.shift()
      invariant(symbol, `what lies under ${board.spaces[index]}?`)
      pieces[index] = { id, seat: null, shown: false, ...kindInLayout(symbol as LayoutSymbol) }
    }
  }
  invariant(hidden.length === 0, `${hidden} lies nowhere`)
  return pieces
}

const ownerOf = ({ colours }: FlipState, colour: Colour): Seat | null => {
  if (colours === null) return null
  return colours.south === colour ? 'south' : 'north'
}

function removedFrom(pieces: readonly (Piece | null)[]): FlipState['removed'] {
  const gone = (colour: Colour): PieceKind[] =>
    PIECE_KINDS.flatMap((kind) => {
      const left = pieces.filter((piece) => piece?.colour === colour && piece.kind === kind).length
      return Array.from({ length: PIECES[kind].count - left }, () => kind)
    })
  const [r, b] = COLOURS
  return { [r]: gone(r), [b]: gone(b) }
}

const EMPTY_ROWS: Readonly<Record<number, string>> = {
  1: '[] {} [] {} []',
  3: '[] () [] () []',
  4: '[] [] () [] []',
  5: '[] () [] () []',
  8: '[] () [] () []',
  9: '[] [] () [] []',
  10: '[] () [] () []',
  12: '[] {} [] {} []',
}

function withAllRows(drawing: string): string {
  const drawn = new Set(drawing.split('\n').map((line) => Number.parseInt(line, 10)))
  const empty = Array.from({ length: 12 }, (_, i) => i + 1)
    .filter((row) => !drawn.has(row))
    .map((row) => `${row} ${EMPTY_ROWS[row] ?? '[] [] [] [] []'}`)
  return [drawing, ...empty].join('\n')
}
