import { type Board, SEATS, type SpaceKind } from '@junqi/engine'
import type { JSX } from 'preact'
import { gridOf, type Layout, stroke } from './layout.ts'

/** Everything of a board that never changes: territories, roads, railroads, spaces. */
export function Ground({
  board,
  layout,
}: {
  readonly board: Board
  readonly layout: Layout
}): JSX.Element {
  const name = (index: number) => board.spaces[index] ?? ''
  const paths = (isRailroad: boolean) =>
    board.links
      .filter(({ railroad }) => railroad === isRailroad)
      .map(({ a, b }) => stroke(layout, name(a), name(b)))
      .join('')
  const rails = paths(true)
  return (
    <g class="ground" aria-hidden="true">
      <rect class="wood" width={layout.width} height={layout.height} rx="14" />
      <Territories board={board} layout={layout} />
      {board.name === 'duel' && <Mountains layout={layout} />}
      <path class="road" d={paths(false)} />
      <path class="rail" d={rails} />
      <path class="sleepers" d={rails} />
      {board.spaces.map((space, i) => (
        <Space key={space} kind={board.kinds[i] ?? 'post'} space={space} layout={layout} />
      ))}
    </g>
  )
}

function Territories({ board, layout }: { readonly board: Board; readonly layout: Layout }) {
  return SEATS.map((seat) => {
    const points = (board.homes[seat] ?? []).flatMap(
      (index) => layout.points.get(board.spaces[index] ?? '') ?? [],
    )
    if (points.length === 0) return null
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
    const { width, height } = layout.cell
    const [x, y] = [Math.min(...xs) - width * 0.47, Math.min(...ys) - height * 0.47]
    return (
      <rect
        key={seat}
        class={`territory ${seat}`}
        x={x}
        y={y}
        width={Math.max(...xs) + width * 0.47 - x}
        height={Math.max(...ys) + height * 0.47 - y}
        rx="10"
      />
    )
  })
}

/** R-BOARD-3: between the fronts, where there is no railroad. */
function Mountains({ layout }: { readonly layout: Layout }) {
  const { cell, height } = layout
  const y = height / 2 + 2
  return ['b1', 'd1'].map((space) => {
    const x = (gridOf(space).x - 0.5) * cell.width
    return (
      <path
        key={space}
        class="mountain"
        d={`M${x - 24} ${y + 11}L${x - 9} ${y - 11}L${x - 1} ${y + 1}L${x + 8} ${y - 8}L${x + 24} ${y + 11}Z`}
      />
    )
  })
}

interface SpaceProps {
  readonly space: string
  readonly kind: SpaceKind
  readonly layout: Layout
}

function Space({ space, kind, layout }: SpaceProps) {
  const { x, y } = layout.points.get(space) ?? { x: 0, y: 0 }
  const { width, height } = layout.cell
  const radius = Math.min(width, height) * 0.42
  if (kind === 'camp') {
    return (
      <g class="camp">
        <circle cx={x} cy={y} r={radius} />
        <circle cx={x} cy={y} r={radius * 0.66} class="inner" />
      </g>
    )
  }
  const [w, h] = [width * 0.62, height * 0.56]
  if (kind === 'headquarters') {
    return (
      <g class="headquarters">
        <path
          d={`M${x - w * 0.62} ${y - h * 0.3}L${x} ${y - h * 0.78}L${x + w * 0.62} ${y - h * 0.3}Z`}
        />
        <rect x={x - w / 2} y={y - h * 0.3} width={w} height={h * 0.92} rx="2" />
      </g>
    )
  }
  return <rect class="post" x={x - w / 2} y={y - h / 2} width={w} height={h} rx="4" />
}
