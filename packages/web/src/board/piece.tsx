import type { PieceKind } from '@junqi/engine'
import type { JSX } from 'preact'
import { EMBLEMS, type Form, outline, type Suit } from './emblem.ts'
import type { Cell, Point } from './layout.ts'
import { whenChanged } from './when-changed.ts'

/** A piece as the board draws it. */
export interface DrawnPiece {
  readonly id: string
  readonly suit: Suit
  /** null: not known. */
  readonly kind: PieceKind | null
  /** What is written on it; null: the emblem of its seat. */
  readonly face: string | null
  /** The viewer's own guess about a hidden piece. */
  readonly guess: string | null
  readonly hasMoved: boolean
}

interface Props extends DrawnPiece {
  readonly form: Form
  readonly at: Point
  readonly cell: Cell
  readonly state: '' | 'selected' | 'dragged' | 'dimmed'
}

/** One piece, which glides when it moves. */
export const Piece = whenChanged(drawPiece)

function drawPiece({ suit, face, guess, hasMoved, form, at, cell, state }: Props): JSX.Element {
  const { width, height } = cell
  const isTall = height > width
  const [w, h] = isTall ? [width * 0.9, height * 0.84] : [width * 0.84, height * 0.78]
  return (
    <g
      class={`piece ${suit} ${face === null ? 'back' : 'face'} ${state}`}
      style={{ transform: `translate(${at.x}px, ${at.y}px)` }}
      aria-hidden="true"
    >
      <path class="shadow" d={outline(form, w, h)} transform="translate(1.5 2.5)" />
      <path class="body" d={outline(form, w, h)} />
      <path class="rim" d={outline(form, w - 6, h - 6)} />
      {face !== null ? (
        <Word text={face} isTall={isTall} cell={cell} />
      ) : guess !== null ? (
        <Word text={guess} isTall={isTall} cell={cell} isGuess />
      ) : (
        <path class="emblem" d={EMBLEMS[suit]} />
      )}
      {hasMoved && face === null && <circle class="moved" cx={w / 2 - 6} cy={h / 2 - 6} r="3" />}
    </g>
  )
}

interface WordProps {
  readonly text: string
  readonly isTall: boolean
  readonly cell: Cell
  readonly isGuess?: boolean
}

/** Of most capital letters, for each unit of their size, in a wide font. */
const LETTER_WIDTH = 0.76
const OTHER_WIDTHS = new Map([
  ['I', 0.38],
  ['J', 0.38],
  ['M', 1],
])
/** Of the width of a cell: letters stay within the rim of every form, in the widest fonts as well. */
const LETTERS_SHARE = 0.67
/** Of most short forms: all are written in one size. */
const LETTERS = 3
/** How much higher letters may be than they were without being narrowed. */
const NARROWED = 1.6

/** Chinese words stand upright on tall pieces, a character above the other. */
function Word({ text, isTall, cell, isGuess = false }: WordProps) {
  const isChinese = /\p{Script=Han}/u.test(text)
  const characters = [...text]
  const kind = isGuess ? 'word guess' : 'word'
  if (isTall && isChinese && characters.length > 1) {
    const size = Math.min(cell.height * 0.4, cell.width * 0.56)
    return (
      <text class={kind} font-size={size}>
        {characters.map((character, i) => (
          <tspan key={i} x="0" y={(i - (characters.length - 1) / 2) * size * 0.98}>
            {character}
          </tspan>
        ))}
      </text>
    )
  }
  const room = cell.width * (isChinese ? 0.8 : LETTERS_SHARE)
  // Letters are read as well when they are narrow, and better than when they are small.
  const widest = isChinese ? room / characters.length : (room / LETTERS / LETTER_WIDTH) * NARROWED
  const size = Math.min(cell.height * 0.5, widest)
  const widths = characters.map((letter) => OTHER_WIDTHS.get(letter) ?? LETTER_WIDTH)
  const isTooWide = !isChinese && widths.reduce((sum, width) => sum + width) * size > room
  const squeezed = isTooWide && { textLength: room, lengthAdjust: 'spacingAndGlyphs' }
  return (
    <text class={kind} font-size={size} {...squeezed}>
      {text}
    </text>
  )
}
