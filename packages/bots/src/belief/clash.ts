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

/** What else an attack told: the events that follow it before the next move. */
interface Aftermath {
  readonly flagTaken: boolean
  /** By number; -1: none. */
  readonly scouted: number
  readonly flagsShown: readonly Seat[]
}

/** Where in the history the attack was told. */
interface Told {
  readonly history: readonly PublicEvent[]
  readonly i: number
}

/** An attack with all that it told. */
export function clashOf(terrain: Terrain, met: Met, told: Told): Clash {
  const aftermath = aftermathOf(met.defender.seat, told)
  const fits = new Uint8Array(KINDS * KINDS)
  for (let a = 0; a < KINDS; a++) {
    for (let d = 0; d < KINDS; d++) {
      fits[a * KINDS + d] = wouldLookSo(terrain, met, aftermath, [a, d]) ? 1 : 0
    }
  }
  return { attacker: met.attacker, defender: met.defender, fits }
}

function aftermathOf(defender: Seat, { history, i }: Told): Aftermath {
  const flagsShown: Seat[] = []
  let scouted = -1
  let flagTaken = false
  for (let next = i + 1; next < history.length; next++) {
    const event = history[next]
    if (event === undefined) break
    if (event.type === 'flagRevealed') flagsShown.push(event.seat)
    else if (event.type === 'officerScouted') scouted = numberOf(event.kind)
    else if (event.type === 'seatEliminated' && event.seat === defender)
      flagTaken ||= event.reason === 'flagCaptured'
    else if (event.type !== 'seatEliminated') break
  }
  return { flagTaken, scouted, flagsShown }
}

function wouldLookSo(
  { fights, ruleSet }: Terrain,
  { attacker, defender, gone }: Met,
  { flagTaken, scouted, flagsShown }: Aftermath,
  [a, d]: readonly [number, number],
): boolean {
  if (TRAITS[a]?.moves !== true) return false
  const fight = fights[a * KINDS + d] ?? 0
  if ((fight & (ATTACKER_GONE | DEFENDER_GONE)) !== gone) return false
  if (((fight & FLAG_TAKEN) !== 0) !== flagTaken) return false
  if (scouted !== ((fight & SCOUTED) !== 0 ? d : -1)) return false
  if (!ruleSet.fieldMarshalDeathRevealsFlag) return true
  const attackerShows = (gone & ATTACKER_GONE) !== 0 && TRAITS[a]?.commands === true
  const defenderShows = (gone & DEFENDER_GONE) !== 0 && TRAITS[d]?.commands === true
  return (
    attackerShows === flagsShown.includes(attacker.seat) &&
    defenderShows === flagsShown.includes(defender.seat)
  )
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
