import type { PublicEvent, Seat } from '@junqi/engine'
import { has, KINDS, type KindSet, numberOf, setOf, TRAITS } from '../kinds.ts'
import { ATTACKER_GONE, DEFENDER_GONE, FLAG_TAKEN, SCOUTED, type Terrain } from '../terrain.ts'
import type { Dossier } from './dossier.ts'

/** An attack, and what everyone was told of it. */
export interface Clash {
  readonly attacker: Dossier
  readonly defender: Dossier
  /** 1 for each pair of kinds that would have looked like this: by attacker times kinds plus defender. */
  readonly fits: Uint8Array
}

interface Met {
  readonly attacker: Dossier
  readonly defender: Dossier
  /** Who was removed, as bits of `terrain.fights`. */
  readonly gone: number
}

/** Where in the history the attack was told. */
export interface Told {
  readonly history: readonly PublicEvent[]
  readonly i: number
}

/** An attack with all that it told. */
export function clashOf(terrain: Terrain, { attacker, defender, gone }: Met, told: Told): Clash {
  const seats = [attacker.seat, defender.seat] as const
  return { attacker, defender, fits: fitsOf(terrain, lookOf(seats, gone, told)) }
}

/** How an attack looked to everyone. */
interface Look {
  readonly gone: number
  readonly flagTaken: boolean
  /** The kind that was found out, by number; -1: none. */
  readonly scouted: number
  /** Whether the flag of the attacker, of the defender was shown (R-FIGHT-8). */
  readonly attackerShown: boolean
  readonly defenderShown: boolean
}

/** An attack and the events that follow it before the next move. */
function lookOf(
  [attacker, defender]: readonly [Seat, Seat],
  gone: number,
  { history, i }: Told,
): Look {
  let [flagTaken, attackerShown, defenderShown] = [false, false, false]
  let scouted = -1
  for (let next = i + 1; next < history.length; next++) {
    const event = history[next]
    if (event?.type === 'flagRevealed') {
      attackerShown ||= event.seat === attacker
      defenderShown ||= event.seat === defender
    } else if (event?.type === 'officerScouted') scouted = numberOf(event.kind)
    else if (event?.type !== 'seatEliminated') break
    else flagTaken ||= event.seat === defender && event.reason === 'flagCaptured'
  }
  return { gone, flagTaken, scouted, attackerShown, defenderShown }
}

const known = new WeakMap<Terrain, Map<string, Uint8Array>>()

/** The pairs of kinds that would have looked so; worked out once for each look. */
function fitsOf(terrain: Terrain, look: Look): Uint8Array {
  const ofTerrain = known.get(terrain) ?? new Map<string, Uint8Array>()
  known.set(terrain, ofTerrain)
  const { gone, flagTaken, scouted, attackerShown, defenderShown } = look
  const key = `${gone} ${flagTaken} ${scouted} ${attackerShown} ${defenderShown}`
  const found = ofTerrain.get(key)
  if (found !== undefined) return found
  const fits = new Uint8Array(KINDS * KINDS)
  for (let a = 0; a < KINDS; a++) {
    for (let d = 0; d < KINDS; d++) fits[a * KINDS + d] = wouldLookSo(terrain, look, a, d) ? 1 : 0
  }
  ofTerrain.set(key, fits)
  return fits
}

function wouldLookSo({ fights, ruleSet }: Terrain, look: Look, a: number, d: number): boolean {
  if (TRAITS[a]?.moves !== true) return false
  const fight = fights[a * KINDS + d] ?? 0
  if ((fight & (ATTACKER_GONE | DEFENDER_GONE)) !== look.gone) return false
  if (((fight & FLAG_TAKEN) !== 0) !== look.flagTaken) return false
  if (look.scouted !== ((fight & SCOUTED) !== 0 ? d : -1)) return false
  if (!ruleSet.fieldMarshalDeathRevealsFlag) return true
  const attackerShows = (fight & ATTACKER_GONE) !== 0 && TRAITS[a]?.commands === true
  const defenderShows = (fight & DEFENDER_GONE) !== 0 && TRAITS[d]?.commands === true
  return attackerShows === look.attackerShown && defenderShows === look.defenderShown
}

/** The kinds of the attacker and of the defender that some kind of the other agrees with. */
export function agreeing({ attacker, defender, fits }: Clash): readonly [KindSet, KindSet] {
  let [attackers, defenders] = [0, 0]
  for (let a = 0; a < KINDS; a++) {
    if (!has(attacker.possible, a)) continue
    for (let d = 0; d < KINDS; d++) {
      if (fits[a * KINDS + d] !== 1 || !has(defender.possible, d)) continue
      attackers |= setOf(a)
      defenders |= setOf(d)
    }
  }
  return [attackers, defenders]
}
