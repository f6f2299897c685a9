import {
  type BySeat,
  bySeat,
  FORMATION_PLACES,
  type Ground,
  groundOf,
  isDeployable,
  PIECE_KINDS,
  PIECES,
  ROAMS,
  type RuleSet,
  resolveCombat,
  type Seat,
  STAYS,
} from '@junqi/engine'
import { KINDS, type KindSet, kindsWhere } from './kinds.ts'

/** What an attack does, as bits. */
export const ATTACKER_GONE = 1
export const DEFENDER_GONE = 2
export const FLAG_TAKEN = 4
export const SCOUTED = 8

/** A rule set as the brains count with it: everything by small numbers, worked out once. */
export interface Terrain {
  readonly ruleSet: RuleSet
  readonly ground: Ground
  /** How many spaces there are. */
  readonly size: number
  /** What an attack does: by attacker times the number of kinds plus defender. */
  readonly fights: Uint8Array
  /** How each kind gets about (engine `Gait`). */
  readonly gaits: Uint8Array
  /** Kinds that may turn anywhere on railroads (R-MOVE-4). */
  readonly roamers: KindSet
  /** The kinds that may be deployed on each place of a formation (R-DEPLOY). */
  readonly deployable: readonly KindSet[]
  /** The spaces of a formation, by seat; empty for a seat that is not in the game. */
  readonly homes: BySeat<readonly number[]>
  /** The headquarters of each seat. */
  readonly headquarters: BySeat<readonly number[]>
  /** The seats that a seat plays against. */
  readonly opponents: BySeat<readonly Seat[]>
}

const known = new WeakMap<RuleSet, Terrain>()

/** The terrain of a rule set. */
export function terrainOf(ruleSet: RuleSet): Terrain {
  const found = known.get(ruleSet)
  if (found !== undefined) return found
  const terrain = makeTerrain(ruleSet)
  known.set(ruleSet, terrain)
  return terrain
}

function makeTerrain(ruleSet: RuleSet): Terrain {
  const ground = groundOf(ruleSet)
  const { board } = ground
  const gaits = Uint8Array.from(PIECE_KINDS, (kind) => ground.gaits[kind] ?? STAYS)
  const homes = bySeat((seat) => (ruleSet.seats.includes(seat) ? (board.homes[seat] ?? []) : []))
  return {
    ruleSet,
    ground,
    size: board.spaces.length,
    fights: fightsOf(ruleSet),
    gaits,
    roamers: kindsWhere((_, kind) => gaits[kind] === ROAMS),
    deployable: FORMATION_PLACES.map((place) =>
      kindsWhere((_, kind) => isDeployable(ruleSet, PIECE_KINDS[kind] ?? 'flag', place)),
    ),
    homes,
    headquarters: bySeat((seat) =>
      homes[seat].filter((space) => board.kinds[space] === 'headquarters'),
    ),
    opponents: bySeat((seat) =>
      ruleSet.seats.filter((other) => other !== seat && other !== ground.ally[seat]),
    ),
  }
}

function fightsOf(ruleSet: RuleSet): Uint8Array {
  const fights = new Uint8Array(KINDS * KINDS)
  for (const [a, attacker] of PIECE_KINDS.entries()) {
    if (!PIECES[attacker].moves) continue
    for (const [d, defender] of PIECE_KINDS.entries()) {
      const result = resolveCombat(attacker, defender, ruleSet)
      fights[a * KINDS + d] =
        (result.attackerRemoved ? ATTACKER_GONE : 0) |
        (result.defenderRemoved ? DEFENDER_GONE : 0) |
        (result.flagCaptured ? FLAG_TAKEN : 0) |
        (result.scouted ? SCOUTED : 0)
    }
  }
  return fights
}
