import { type BySeat, bySeat, type Seat } from '@junqi/engine'
import { distancesFrom } from './distance.ts'
import { BOMB, ENGINEER, FLAG, KINDS, LANDMINE, TRAITS } from './kinds.ts'
import { chance, type Mind, sureKind } from './mind.ts'

/** Farther than this all is alike. */
const FAR = 14

/** What it is worth for a kind to be one move nearer to an enemy flag. */
const DRIVE: Float64Array = Float64Array.from(TRAITS, ({ moves, rank }, kind) => {
  if (!moves) return 0
  if (kind === ENGINEER) return 0.22
  if (kind === BOMB) return 0.15
  return rank >= 8 ? 0.3 : rank >= 5 ? 0.4 : 0.3
})

/** What standing in a camp is worth: nobody can attack there (R-MOVE-5). */
const CAMP = 0.6

/** What places are worth to the pieces of each seat, as things stand now: kind times spaces plus space. */
export interface Outlook {
  readonly places: BySeat<Float64Array>
  /** How far each space is from the nearest enemy flag, by seat. */
  readonly roads: BySeat<Float64Array>
}

export function outlookOf(mind: Mind): Outlook {
  const roads = bySeat((seat) => roadsToFlags(mind, seat))
  return { roads, places: bySeat((seat) => placesOf(mind, roads[seat])) }
}

/** How far each space is from the nearest flag of the seat's opponents, by where it probably is. */
function roadsToFlags(mind: Mind, seat: Seat): Float64Array {
  const { terrain, sight } = mind
  const roads = new Float64Array(terrain.size).fill(FAR)
  if (sight.view.seats[seat]?.out !== null) return roads
  const toll = (space: number) => tollOf(mind, seat, space)
  for (const opponent of terrain.opponents[seat]) {
    if (sight.view.seats[opponent]?.out !== null) continue
    const sum = new Float64Array(terrain.size)
    for (const space of terrain.headquarters[opponent]) {
      const likely = flagChance(mind, space)
      if (likely < 0.001) continue
      const far = distancesFrom(terrain, [space], toll)
      for (let i = 0; i < sum.length; i++)
        sum[i] = (sum[i] ?? 0) + likely * Math.min(FAR, far[i] ?? FAR)
    }
    for (let i = 0; i < sum.length; i++) roads[i] = Math.min(roads[i] ?? FAR, sum[i] ?? FAR)
  }
  return roads
}

/** How likely a flag stands on a space. */
export function flagChance(mind: Mind, space: number): number {
  const piece = mind.story.standing[space]
  return piece ? chance(mind, piece, FLAG) : 0
}

/** What a piece in the way costs a seat. */
function tollOf(mind: Mind, seat: Seat, space: number): number {
  const piece = mind.story.standing[space]
  if (!piece) return mind.terrain.ground.traps[space] === 1 ? FAR : 0
  const { ally } = mind.terrain.ground
  if (piece.seat === seat || piece.seat === ally[seat]) return sureKind(piece) >= LANDMINE ? 2 : 0.8
  return 1 + 3 * chance(mind, piece, LANDMINE)
}

function placesOf({ terrain }: Mind, roads: Float64Array): Float64Array {
  const places = new Float64Array(KINDS * terrain.size)
  for (let kind = 0; kind < KINDS; kind++) {
    if (TRAITS[kind]?.moves !== true) continue
    for (let space = 0; space < terrain.size; space++) {
      const camp = terrain.ground.camps[space] === 1 ? CAMP : 0
      places[kind * terrain.size + space] = camp - (DRIVE[kind] ?? 0) * (roads[space] ?? FAR)
    }
  }
  return places
}
