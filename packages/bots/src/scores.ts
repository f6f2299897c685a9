import type { Move } from '@junqi/engine'
import type { Dossier } from './belief/dossier.ts'
import { has, KINDS, LANDMINE, MOVERS, TRAITS } from './kinds.ts'
import { chance, type Mind, mayMove, sureKind } from './mind.ts'
import { flagChance, type Outlook } from './outlook.ts'
import { reach } from './reach.ts'
import { ATTACKER_GONE, DEFENDER_GONE, FLAG_TAKEN } from './terrain.ts'
import { VALUES } from './values.ts'

/** What an enemy flag is worth beside its piece: the whole army goes. */
const FLAG_BONUS = 150
/** A landmine beside a flag is worth more to be rid of. */
const GATE = 12
/** How much of a threat counts, for the enemy does not know what it would attack. */
const FEAR = 0.7
/** What a threat on a second piece counts, when there is one on a first: only one can be carried out. */
const SECOND = 0.2
/** What turning back costs, so that pieces do not walk to and fro. */
const TURNING_BACK = 0.5
/** What an attack gains as the game is about to end without one (R-END-3). */
const URGENCY = 10

/** What each move is worth to the seat, in the measure of `VALUES`: only differences count. */
export function scoresOf(mind: Mind, outlook: Outlook, moves: readonly Move[]): readonly number[] {
  const { indexOf } = mind.terrain.ground.board
  return moves.map(({ from, to }) =>
    scoreOf(mind, outlook, [indexOf.get(from) ?? 0, indexOf.get(to) ?? 0]),
  )
}

type FromTo = readonly [from: number, to: number]

function scoreOf(mind: Mind, outlook: Outlook, [from, to]: FromTo): number {
  const { standing } = mind.story
  const piece = standing[from]
  if (!piece) return 0
  const kind = sureKind(piece)
  const target = standing[to] ?? null
  const attack = target === null ? { gain: 0, stands: 1, falls: 0 } : attackOf(mind, kind, target)
  const places = outlook.places[mind.seat]
  const { size } = mind.terrain
  const approach =
    attack.stands * ((places[kind * size + to] ?? 0) - (places[kind * size + from] ?? 0))
  const trapped =
    mind.terrain.ground.traps[to] === 1 ? 0.7 * (VALUES[kind] ?? 0) * attack.stands : 0
  const urge = target === null ? -turningBack(mind, piece, to) : urgency(mind)
  return (
    attack.gain +
    approach +
    urge -
    trapped -
    riskAfter(mind, { from, to, kind, stands: attack.stands })
  )
}

interface Attack {
  readonly gain: number
  /** How likely the attacker then stands on the target. */
  readonly stands: number
  /** How likely it is removed. */
  readonly falls: number
}

/** What an attack is worth on the average. */
export function attackOf(mind: Mind, kind: number, target: Dossier): Attack {
  const { fights } = mind.terrain
  let [gain, stands, falls] = [0, 0, 0]
  for (let k = 0; k < KINDS; k++) {
    const likely = chance(mind, target, k)
    if (likely === 0) continue
    const fight = fights[kind * KINDS + k] ?? 0
    const defenderGone = (fight & DEFENDER_GONE) !== 0
    const attackerGone = (fight & ATTACKER_GONE) !== 0
    if (defenderGone) gain += likely * (VALUES[k] ?? 0)
    if (defenderGone && k === LANDMINE) gain += likely * gateOf(mind, target)
    if (attackerGone) gain -= likely * (VALUES[kind] ?? 0)
    if ((fight & FLAG_TAKEN) !== 0) gain += likely * FLAG_BONUS
    if (attackerGone) falls += likely
    if (defenderGone && !attackerGone) stands += likely
  }
  return { gain, stands, falls }
}

/** What it is worth to open the way past a landmine. */
function gateOf(mind: Mind, { space }: Dossier): number {
  let gate = 0
  for (const next of mind.terrain.ground.paths.links[space] ?? []) gate += flagChance(mind, next)
  return gate * GATE
}

function urgency({ sight }: Mind): number {
  const { quietMoveLimit } = sight.ruleSet
  if (quietMoveLimit === null) return 0
  return Math.max(0, (2 * sight.view.quiet) / quietMoveLimit - 1) * URGENCY
}

/** Whether the piece goes back to where it came from just now. */
function turningBack({ story, seat }: Mind, piece: Dossier, to: number): number {
  const own = story.steps.filter((step) => step.piece.seat === seat).slice(-6)
  const back = own.filter((step) => step.piece === piece && step.from === to).length
  return back * TURNING_BACK
}

interface Moved {
  readonly from: number
  readonly to: number
  readonly kind: number
  readonly stands: number
}

/** What the opponents' attacks may cost after a move. */
function riskAfter(mind: Mind, moved: Moved): number {
  const { standing } = mind.story
  const [piece, target] = [standing[moved.from] ?? null, standing[moved.to] ?? null]
  standing[moved.from] = null
  standing[moved.to] = piece
  const risks = new Map<number, number>()
  for (const opponent of mind.opponents) {
    for (const enemy of mind.story.armies[opponent]) {
      if (enemy !== target && mayMove(mind, enemy)) addRisks(mind, enemy, risks, moved)
    }
  }
  standing[moved.from] = piece
  standing[moved.to] = target
  return total(risks.values())
}

function total(risks: Iterable<number>): number {
  let [most, sum] = [0, 0]
  for (const risk of risks) {
    most = Math.max(most, risk)
    sum += risk
  }
  return FEAR * (most + SECOND * (sum - most))
}

function addRisks(mind: Mind, enemy: Dossier, risks: Map<number, number>, moved: Moved): void {
  const { standing } = mind.story
  const roams = has(mind.terrain.roamers, sureKind(enemy))
  for (const space of reach(mind.terrain, standing, enemy.space, roams)) {
    const there = standing[space]
    if (!there || there.seat !== mind.seat || mind.terrain.ground.camps[space] === 1) continue
    const risk = threat(mind, enemy, there) * (space === moved.to ? moved.stands : 1)
    if (risk > (risks.get(space) ?? 0)) risks.set(space, risk)
  }
}

/** What an attack of an enemy piece on one of one's own would cost on the average, if it is worth it. */
function threat(mind: Mind, enemy: Dossier, own: Dossier): number {
  const { fights } = mind.terrain
  const kind = sureKind(own)
  let loss = 0
  for (let k = 0; k < KINDS; k++) {
    if (!has(MOVERS, k) || TRAITS[k] === undefined) continue
    const likely = chance(mind, enemy, k)
    const fight = fights[k * KINDS + kind] ?? 0
    let cost = 0
    if ((fight & DEFENDER_GONE) !== 0) cost += VALUES[kind] ?? 0
    if ((fight & ATTACKER_GONE) !== 0) cost -= VALUES[k] ?? 0
    // Who would lose by it knows nothing of it, and may attack all the same; but counts for less.
    loss += likely * (cost > 0 ? cost : 0.3 * cost)
  }
  return Math.max(0, loss)
}
