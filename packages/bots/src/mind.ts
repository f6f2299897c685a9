import type { BySeat, Seat } from '@junqi/engine'
import type { Dossier } from './belief/dossier.ts'
import { narrow } from './belief/narrow.ts'
import { type Odds, oddsOf } from './belief/odds.ts'
import { type Story, storyOf } from './belief/story.ts'
import type { Sight } from './brain.ts'
import { KINDS, MOVERS } from './kinds.ts'
import { type Terrain, terrainOf } from './terrain.ts'

/** All that a seat makes of what it has seen. */
export interface Mind {
  readonly terrain: Terrain
  readonly sight: Sight
  readonly seat: Seat
  readonly ally: Seat | null
  /** The seats it plays against that are still in. */
  readonly opponents: readonly Seat[]
  readonly story: Story
  /** How likely each piece is of each kind. */
  readonly odds: BySeat<Odds>
}

export function mindOf(sight: Sight): Mind {
  const terrain = terrainOf(sight.ruleSet)
  const story = storyOf(terrain, sight)
  narrow(story)
  const { seat, view } = sight
  return {
    terrain,
    sight,
    seat,
    ally: terrain.ground.ally[seat],
    opponents: terrain.opponents[seat].filter((other) => view.seats[other]?.out === null),
    story,
    odds: oddsOf(story, view),
  }
}

/** How likely a piece is of a kind. */
export const chance = ({ odds }: Mind, { seat, place }: Dossier, kind: number): number =>
  odds[seat][place * KINDS + kind] ?? 0

/** The kind of a piece where only one is possible, else -1. */
export function sureKind({ possible }: Dossier): number {
  return (possible & (possible - 1)) === 0 ? 31 - Math.clz32(possible) : -1
}

/** Whether a piece may be one that moves, from where it stands. */
export const mayMove = ({ terrain }: Mind, { possible, space }: Dossier): boolean =>
  space >= 0 && (possible & MOVERS) !== 0 && terrain.ground.traps[space] !== 1
