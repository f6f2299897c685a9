import {
  type Board as BoardData,
  boardOf,
  type RuleSet,
  type Seat,
  type SpaceId,
} from '@junqi/engine'
import type { JSX } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import { formOf } from './emblem.ts'
import { Ground } from './ground.tsx'
import {
  type Cell,
  DUEL_CELL,
  type Layout,
  layoutBoard,
  type Point,
  spaceTowards,
  strokeAlong,
  TALL,
  WIDE,
} from './layout.ts'
import { type DrawnPiece, Piece } from './piece.tsx'
import { whenChanged } from './when-changed.ts'

/** What the board draws; it knows no rules. */
export interface BoardProps {
  readonly ruleSet: RuleSet
  readonly bottom: Seat
  readonly isTall: boolean
  readonly label: string
  readonly pieces: ReadonlyMap<SpaceId, DrawnPiece>
  readonly selected: SpaceId | null
  /** Where the selected piece may go. */
  readonly targets: ReadonlySet<SpaceId>
  /** Pieces that can be dragged. */
  readonly movable: ReadonlySet<SpaceId>
  readonly last: LastShown | null
  readonly nameOf: (space: SpaceId) => string
  readonly onTap: (space: SpaceId) => void
  readonly onDrop: (from: SpaceId, to: SpaceId) => void
  /**
   * The other way to ask about a space: a long press of a finger, the right button of a mouse, or the key `m`.
   * False: there is nothing to be asked.
   */
  readonly onAsk?: (space: SpaceId) => boolean
}

/** The last move, as it is drawn. */
export interface LastShown {
  readonly way: readonly SpaceId[]
  readonly to: SpaceId
  readonly badge: string | null
  readonly tone: 'good' | 'bad' | 'even'
}

export function Board(props: BoardProps): JSX.Element {
  const { ruleSet, bottom, isTall } = props
  const board = boardOf(ruleSet)
  const cell = cellOf(board, isTall)
  const layout = useMemo(() => layoutBoard(board, { bottom, cell }), [board, bottom, cell])
  const ground = useMemo(() => <Ground board={board} layout={layout} />, [board, layout])
  const svg = useRef<SVGSVGElement>(null)
  const [cursor, setCursor] = useState<SpaceId | null>(null)
  const drag = useDrag(props, svg)
  const focused = cursor ?? props.selected ?? firstOf(props, board)

  const onKeyDown = (event: KeyboardEvent): void => {
    const space = spaceOf(event.target)
    if (space === null) return
    const direction = DIRECTIONS[event.key]
    const next = direction === undefined ? null : spaceTowards(layout, space, direction)
    if (next !== null) focusOn(svg.current, next)
    else if (event.key === 'Enter' || event.key === ' ') props.onTap(space)
    else if (event.key === 'm') props.onAsk?.(space)
    else if (direction === undefined) return
    event.preventDefault()
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: an SVG is no fieldset.
    <svg
      ref={svg}
      class={`board ${board.name} ${isTall ? 'tall' : 'wide'}`}
      viewBox={`-6 -6 ${layout.width + 12} ${layout.height + 12}`}
      style={{ '--ratio': (layout.width + 12) / (layout.height + 12) }}
      role="group"
      aria-label={props.label}
      onKeyDown={onKeyDown}
      onFocusIn={(event) => setCursor(spaceOf(event.target))}
      onContextMenu={(event) => {
        const space = spaceOf(event.target)
        if (space === null || props.onAsk === undefined) return
        event.preventDefault()
        props.onAsk(space)
      }}
      {...drag.handlers}
    >
      {ground}
      {props.last !== null && <path class="way" d={strokeAlong(layout, props.last.way)} />}
      {props.last !== null && <Trace layout={layout} last={props.last} />}
      <Targets layout={layout} pieces={props.pieces} targets={props.targets} />
      <Pieces {...props} layout={layout} dragged={drag.from} />
      {props.last?.badge != null && <Badge layout={layout} last={props.last} />}
      {drag.from !== null && drag.at !== null && (
        <Dragged {...props} layout={layout} from={drag.from} at={drag.at} />
      )}
      <Spaces {...props} board={board} layout={layout} focused={focused} />
    </svg>
  )
}

const DIRECTIONS: Readonly<Record<string, 'up' | 'down' | 'left' | 'right'>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
}

function cellOf(board: BoardData, isTall: boolean): Cell {
  if (board.name === 'duel') return DUEL_CELL
  return isTall ? TALL : WIDE
}

function firstOf({ movable }: BoardProps, board: BoardData): SpaceId {
  const [first] = movable
  return first ?? board.spaces[0] ?? ''
}

function spaceOf(target: EventTarget | null): SpaceId | null {
  return target instanceof Element
    ? (target.closest('[data-space]')?.getAttribute('data-space') ?? null)
    : null
}

function focusOn(svg: SVGSVGElement | null, space: SpaceId): void {
  svg?.querySelector<SVGElement>(`[data-space="${space}"]`)?.focus()
}

interface Placed {
  readonly layout: Layout
}

function Targets({ layout, pieces, targets }: Placed & Pick<BoardProps, 'pieces' | 'targets'>) {
  const radius = Math.min(layout.cell.width, layout.cell.height) * 0.2
  return (
    <g class="targets" aria-hidden="true">
      {[...targets]
        .filter((space) => !pieces.has(space))
        .map((space) => {
          const { x, y } = layout.points.get(space) ?? ORIGIN
          return <circle key={space} cx={x} cy={y} r={radius} />
        })}
    </g>
  )
}

const ORIGIN: Point = { x: 0, y: 0 }

type PiecesProps = BoardProps & Placed & { readonly dragged: SpaceId | null }

function Pieces({ ruleSet, pieces, layout, selected, dragged }: PiecesProps) {
  // Always in the same order, so that a piece that moves keeps its place in the drawing and can glide.
  const placed = [...pieces].sort(([, one], [, other]) => (one.id < other.id ? -1 : 1))
  return (
    <g class="pieces">
      {placed.map(([space, piece]) => (
        <Piece
          key={piece.id}
          {...piece}
          form={formOf(ruleSet, piece.suit)}
          at={layout.points.get(space) ?? ORIGIN}
          cell={layout.cell}
          state={space === dragged ? 'dimmed' : space === selected ? 'selected' : ''}
        />
      ))}
    </g>
  )
}

function Trace({ layout, last }: Placed & { readonly last: LastShown }) {
  const { width, height } = layout.cell
  const ends = [last.way[0], last.way.at(-1)]
  return (
    <g class="trace" aria-hidden="true">
      {ends.map((space, i) => {
        const { x, y } = layout.points.get(space ?? '') ?? ORIGIN
        return (
          <rect
            key={i}
            x={x - width * 0.48}
            y={y - height * 0.46}
            width={width * 0.96}
            height={height * 0.92}
            rx="8"
          />
        )
      })}
    </g>
  )
}

function Badge({ layout, last }: Placed & { readonly last: LastShown }) {
  const { x, y } = layout.points.get(last.to) ?? ORIGIN
  const text = last.badge ?? ''
  const size = 19
  const width =
    [...text].reduce((sum, c) => sum + (/\p{Script=Han}/u.test(c) ? 1 : 0.6), 0) * size + 16
  const half = width / 2
  const left = Math.min(Math.max(x, half), layout.width - half)
  const top = y < layout.cell.height ? y + layout.cell.height * 0.72 : y - layout.cell.height * 0.72
  return (
    <g class={`badge ${last.tone}`} transform={`translate(${left} ${top})`} aria-hidden="true">
      <rect x={-half} y="-15" width={width} height="30" rx="15" />
      <text font-size={size}>{text}</text>
    </g>
  )
}

type DraggedProps = BoardProps & Placed & { readonly from: SpaceId; readonly at: Point }

function Dragged({ ruleSet, pieces, layout, from, at }: DraggedProps) {
  const piece = pieces.get(from)
  if (piece === undefined) return null
  return (
    <Piece
      {...piece}
      form={formOf(ruleSet, piece.suit)}
      at={at}
      cell={layout.cell}
      state="dragged"
    />
  )
}

type SpacesProps = BoardProps & Placed & { readonly board: BoardData; readonly focused: SpaceId }

/** What is tapped, focused and read aloud: one thing for every space. */
function Spaces({ board, layout, focused, nameOf, ...now }: SpacesProps) {
  return (
    <g class="spaces">
      {board.spaces.map((space) => (
        <Space
          key={space}
          space={space}
          at={layout.points.get(space) ?? ORIGIN}
          cell={layout.cell}
          label={nameOf(space)}
          isAttack={now.targets.has(space) && now.pieces.has(space)}
          isMovable={now.movable.has(space)}
          isSelected={space === now.selected}
          isFocused={space === focused}
        />
      ))}
    </g>
  )
}

interface SpaceProps {
  readonly space: SpaceId
  readonly at: Point
  readonly cell: Cell
  readonly label: string
  readonly isAttack: boolean
  readonly isMovable: boolean
  readonly isSelected: boolean
  readonly isFocused: boolean
}

const Space = whenChanged((props: SpaceProps) => {
  const { space, at, cell, label, isAttack, isMovable, isSelected, isFocused } = props
  return (
    // biome-ignore lint/a11y/useSemanticElements: there is no button inside an SVG.
    <rect
      data-space={space}
      class={`space ${isAttack ? 'attack' : ''} ${isMovable ? 'movable' : ''}`}
      x={at.x - cell.width / 2}
      y={at.y - cell.height / 2}
      width={cell.width}
      height={cell.height}
      rx="8"
      role="button"
      tabindex={isFocused ? 0 : -1}
      aria-label={label}
      aria-pressed={isMovable ? isSelected : undefined}
    />
  )
})

/** How far a finger or a mouse goes before it drags. */
const DRAG_PIXELS = 6
const LONG_PRESS_MS = 500

interface Press {
  readonly pointer: number
  readonly space: SpaceId
  readonly x: number
  readonly y: number
  readonly timer: number
  isDrag: boolean
  isDone: boolean
}

/** Taps, drags and long presses, of mouse and finger alike. */
function useDrag(props: BoardProps, svg: { readonly current: SVGSVGElement | null }) {
  const press = useRef<Press | null>(null)
  const [dragged, setDragged] = useState<{ from: SpaceId; at: Point } | null>(null)

  const pointOf = (event: PointerEvent): Point => {
    const matrix = svg.current?.getScreenCTM()?.inverse()
    if (!matrix) return ORIGIN
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix)
    return { x, y }
  }
  const end = (): void => {
    if (press.current !== null) clearTimeout(press.current.timer)
    press.current = null
    setDragged(null)
  }

  const handlers = {
    onPointerDown(event: PointerEvent): void {
      const space = spaceOf(event.target)
      if (space === null || event.button !== 0 || press.current !== null) return
      const now: Press = {
        pointer: event.pointerId,
        space,
        x: event.clientX,
        y: event.clientY,
        timer: window.setTimeout(() => {
          // A mouse has another button for it: who presses slowly means the same as who does it fast.
          if (event.pointerType === 'mouse' || press.current !== now || now.isDrag) return
          now.isDone = props.onAsk?.(space) === true
        }, LONG_PRESS_MS),
        isDrag: false,
        isDone: false,
      }
      press.current = now
    },
    onPointerMove(event: PointerEvent): void {
      const now = press.current
      if (now === null || now.pointer !== event.pointerId || now.isDone) return
      const isFar = Math.hypot(event.clientX - now.x, event.clientY - now.y) > DRAG_PIXELS
      if (!now.isDrag && (!isFar || !props.movable.has(now.space))) return
      if (!now.isDrag && svg.current !== null) svg.current.setPointerCapture(event.pointerId)
      now.isDrag = true
      setDragged({ from: now.space, at: pointOf(event) })
    },
    onPointerUp(event: PointerEvent): void {
      const now = press.current
      if (now === null || now.pointer !== event.pointerId) return
      const over = spaceOf(document.elementFromPoint(event.clientX, event.clientY))
      end()
      if (now.isDone) return
      if (now.isDrag) {
        if (over !== null && over !== now.space) props.onDrop(now.space, over)
      } else if (over === now.space) props.onTap(now.space)
    },
    onPointerCancel: end,
  }
  return { handlers, from: dragged?.from ?? null, at: dragged?.at ?? null }
}
