import { COLOURS, type FlipRuleSet, type FlipView, PIECE_KINDS, PIECES } from '@junqi/engine'
import type { Sight } from '../brain.ts'
import { distancesFrom } from '../distance.ts'
import { KINDS, numberOf } from '../kinds.ts'
import { ATTACKER_GONE, DEFENDER_GONE, type Terrain } from '../terrain.ts'
import { VALUES } from '../values.ts'
import { allowedAttacks, colourNumber, type FlipStakes } from './flip-board.ts'

/** What it is worth to be a move nearer to what one can take, beside what that is worth. */
const DRIVE = 0.12
const FAR = 12
const CAMP = 0.5
/** The flag ends the game (R-FLIP-7). */
const FLAG = 500

/** What pieces are worth where they stand, by what they can hunt down. */
export function flipStakesOf(
  terrain: Terrain,
  sight: Sight,
  { ruleSet, flip }: { readonly ruleSet: FlipRuleSet; readonly flip: FlipView },
): FlipStakes {
  const { size, ground } = terrain
  const allowed = allowedAttacks(ruleSet, flip)
  const worth = new Float64Array(COLOURS.length * KINDS * size)
  for (let colour = 0; colour < COLOURS.length; colour++) {
    for (const [number, kind] of PIECE_KINDS.entries()) {
      const value = PIECES[kind].role === 'flag' ? FLAG : (VALUES[number] ?? 0)
      for (let space = 0; space < size; space++) {
        const camp = ground.camps[space] === 1 ? CAMP : 0
        worth[(colour * KINDS + number) * size + space] = value + camp
      }
    }
  }
  for (const prey of preyOf(terrain, sight)) addHunt(terrain, { allowed, worth }, prey)
  return { terrain, allowed, worth }
}

/** A piece that lies open, and how far everything is from it. */
interface Prey {
  readonly colour: number
  readonly kind: number
  readonly distances: Float64Array
}

function preyOf(terrain: Terrain, { view }: Sight): readonly Prey[] {
  const { indexOf } = terrain.ground.board
  const taken = new Set(view.pieces.map(({ space }) => indexOf.get(space) ?? -1))
  const toll = (space: number) => (taken.has(space) ? 1.5 : 0)
  return view.pieces.flatMap(({ space, kind, colour = null }) => {
    const index = indexOf.get(space)
    if (colour === null || kind === 'hidden' || index === undefined) return []
    const distances = distancesFrom(terrain, [index], toll)
    return [{ colour: colourNumber(colour), kind: numberOf(kind), distances }]
  })
}

/** Draws every kind that beats the prey towards it. */
function addHunt(
  { size, fights }: Terrain,
  { allowed, worth }: Pick<FlipStakes, 'allowed' | 'worth'>,
  { colour, kind, distances }: Prey,
): void {
  const hunter = 1 - colour
  for (let a = 0; a < KINDS; a++) {
    const fight = fights[a * KINDS + kind] ?? 0
    const wins = (fight & DEFENDER_GONE) !== 0 && (fight & ATTACKER_GONE) === 0
    if (!wins || allowed[(hunter * KINDS + a) * KINDS + kind] !== 1) continue
    const pull = DRIVE * Math.min(4, 1 + (VALUES[kind] ?? 0) / 10)
    for (let space = 0; space < size; space++) {
      const near = Math.max(0, FAR - (distances[space] ?? FAR)) / FAR
      const at = (hunter * KINDS + a) * size + space
      worth[at] = (worth[at] ?? 0) + pull * near * 3
    }
  }
}
