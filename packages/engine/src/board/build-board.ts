import { invariant } from '../assert.ts'
import { SEATS, type Seat } from '../seat.ts'
import type { Board, BoardName, Line, Link, SpaceId, SpaceKind } from './board.ts'
import { DUEL } from './duel.ts'
import type { BoardPlan, Point, Stretch } from './plan.ts'
import { SIGUO } from './siguo.ts'
import {
  arePlacesLinked,
  COLUMNS,
  FORMATION_PLACES,
  placeKind,
  TERRITORY_PLACES,
  type TerritoryPlace,
} from './territory.ts'

const PLANS: Readonly<Record<BoardName, BoardPlan>> = { duel: DUEL, siguo: SIGUO }

interface NamedLine {
  readonly names: readonly SpaceId[]
  readonly curved: boolean
}

/** Works out a board from its plan, the territories of the closed seats taken out (R-BOARD-7). */
export function buildBoard(name: BoardName, closed: readonly Seat[]): Board {
  const plan = PLANS[name]
  const kindOf = spaceKinds(plan, closed)
  const spaces = [...kindOf.keys()].sort()
  const indexOf = new Map(spaces.map((space, index) => [space, index]))
  const index = (space: SpaceId) => {
    const found = indexOf.get(space)
    invariant(found !== undefined, `no space ${space}`)
    return found
  }
  const lines = linesOf(plan)
    .flatMap((line) => openParts(line, indexOf))
    .map(({ names, curved }) => ({ spaces: names.map(index), curved }))
  const homes = openTerritories(plan, closed).map(([seat, nameAt]) => [
    seat,
    FORMATION_PLACES.map((place) => index(nameAt(place))),
  ])
  return {
    name,
    spaces,
    indexOf,
    kinds: spaces.map((space) => kindOf.get(space) ?? 'post'),
    links: [...railroadsOf(lines, spaces), ...roadsOf(plan, closed).map(([a, b]) => road(a, b))]
      .filter(isFirstOfItsPair())
      .sort((m, n) => m.a - n.a || m.b - n.b),
    lines,
    homes: Object.fromEntries(homes),
  }
  function road(from: SpaceId, to: SpaceId): Link {
    return { ...orderedPair(index(from), index(to)), railroad: false, curved: false }
  }
}

const nameOf = ({ x, y }: Point): SpaceId => `${String.fromCharCode(96 + x)}${y}`

const pointOf = (space: SpaceId): Point => ({
  x: space.charCodeAt(0) - 96,
  y: Number(space.slice(1)),
})

const orderedPair = (m: number, n: number) => ({ a: Math.min(m, n), b: Math.max(m, n) })

type NameAt = (place: TerritoryPlace) => SpaceId

/** The territories that are there, each with the names of its places. */
function openTerritories(plan: BoardPlan, closed: readonly Seat[]): (readonly [Seat, NameAt])[] {
  return SEATS.flatMap((seat) => {
    const pointAt = plan.territories[seat]
    if (pointAt === undefined || closed.includes(seat)) return []
    return [[seat, (place: TerritoryPlace) => nameOf(pointAt(place))] as const]
  })
}

function spaceKinds(plan: BoardPlan, closed: readonly Seat[]): Map<SpaceId, SpaceKind> {
  const kinds = new Map<SpaceId, SpaceKind>(plan.center.map((space) => [space, 'post']))
  for (const [, nameAt] of openTerritories(plan, closed)) {
    for (const place of TERRITORY_PLACES) kinds.set(nameAt(place), placeKind(place))
  }
  return kinds
}

/** All lines of R-BOARD-6 on the whole board: rows 5 and 1 of each territory, then those of the plan. */
function linesOf(plan: BoardPlan): NamedLine[] {
  const all = spaceKinds(plan, [])
  const along = (stretch: Stretch) => pointsAlong(stretch).filter((space) => all.has(space))
  const rows = openTerritories(plan, []).flatMap(([, nameAt]) =>
    [5, 1].map((row) => COLUMNS.map((column) => nameAt({ row, column }))),
  )
  return [
    ...[...rows, ...plan.lines.map(along)].map((names) => ({ names, curved: false })),
    ...plan.curves.map((stretches) => ({ names: stretches.flatMap(along), curved: true })),
  ]
}

/** Every grid point from one end of a stretch to the other. */
function pointsAlong([from, to]: Stretch): SpaceId[] {
  const [start, end] = [pointOf(from), pointOf(to)]
  const [dx, dy] = [end.x - start.x, end.y - start.y]
  return Array.from({ length: Math.max(Math.abs(dx), Math.abs(dy)) + 1 }, (_, step) =>
    nameOf({ x: start.x + step * Math.sign(dx), y: start.y + step * Math.sign(dy) }),
  )
}

/**
 * The parts of a line that are left between closed spaces (R-BOARD-7). A curve line that lost its
 * curve is no line of its own: what is left of it belongs to straight ones.
 */
function openParts(line: NamedLine, open: ReadonlyMap<SpaceId, number>): NamedLine[] {
  const parts: SpaceId[][] = [[]]
  for (const name of line.names) {
    if (open.has(name)) parts.at(-1)?.push(name)
    else parts.push([])
  }
  return parts
    .filter((names) => names.length > 1)
    .map((names) => ({ names, curved: names.slice(1).some((b, i) => isCurve(names[i] ?? b, b)) }))
    .filter(({ curved }) => curved === line.curved)
}

/** Neighbours on a railroad that share neither column nor row (R-BOARD-5). */
function isCurve(from: SpaceId, to: SpaceId): boolean {
  const [a, b] = [pointOf(from), pointOf(to)]
  return a.x !== b.x && a.y !== b.y
}

/** Neighbours on a line are joined by a railroad. */
function railroadsOf(lines: readonly Line[], names: readonly SpaceId[]): Link[] {
  return lines.flatMap(({ spaces }) =>
    spaces.slice(1).map((to, i) => {
      const from = spaces[i] ?? to
      const curved = isCurve(names[from] ?? '', names[to] ?? '')
      return { ...orderedPair(from, to), railroad: true, curved }
    }),
  )
}

/** All linked pairs of a territory; those that are on a line are railroads already. */
function roadsOf(plan: BoardPlan, closed: readonly Seat[]): (readonly [SpaceId, SpaceId])[] {
  return openTerritories(plan, closed).flatMap(([, nameAt]) =>
    TERRITORY_PLACES.flatMap((one) =>
      TERRITORY_PLACES.filter((other) => arePlacesLinked(one, other)).map(
        (other) => [nameAt(one), nameAt(other)] as const,
      ),
    ),
  )
}

function isFirstOfItsPair(): (link: Link) => boolean {
  const seen = new Set<string>()
  return ({ a, b }) => {
    const pair = `${a}-${b}`
    if (seen.has(pair)) return false
    seen.add(pair)
    return true
  }
}
