import {
  applyCommand,
  boardOf,
  checkFormation,
  type Formation,
  type GameState,
  kindOfSymbol,
  legalMoves,
  type Move,
  PIECE_KINDS,
  PIECES,
  type Piece,
  type PieceId,
  type PieceKind,
  type RuleSet,
  type Seat,
} from '@junqi/engine'
import { resolveCombat } from '../../packages/engine/src/rules/combat.ts'
import { pieceOn, stepsOf } from './knowledge.ts'
import { Leak } from './leak.ts'
import { below, chance, pick, type Random } from './random.ts'
import { type Act, type Script, startOf } from './script.ts'
import type { Setup } from './setup.ts'

/** What a script asks of the kind of each piece, for everything public to happen just so. */
interface Demands {
  /** How the pieces that moved went: kinds that could have gone so too. */
  readonly gaits: ReadonlyMap<PieceId, readonly PieceKind[]>
  readonly fights: ReadonlyMap<PieceId, readonly Fight[]>
  readonly shown: ReadonlySet<PieceId>
}

interface Fight {
  readonly attacks: boolean
  readonly other: PieceId
}

export interface Twin {
  /** The same script on other formations: the same public events. */
  readonly script: Script
  /** The pieces whose kinds differ. */
  readonly differing: ReadonlySet<PieceId>
  /** Whether every differing piece moved or fought. */
  readonly active: boolean
}

/** Finds a script with other kinds of the pieces that are not `known`, or null. */
export type FindTwin = (known: ReadonlySet<PieceId>, random: Random) => Twin | null

/**
 * Looks for other kinds of hidden pieces, such that the same acts lead to the same events: exchanges
 * two pieces of an army as long as no move, fight or showing betrays it, then plays it all again to
 * be sure (eliminations for want of moves depend on everything at once).
 */
export function twinsOf(script: Script): FindTwin {
  const demands = demandsOf(script)
  const isActive = (id: PieceId) => demands.gaits.has(id) || demands.fights.has(id)
  const idle = [...kindsOf(script).keys()].filter((id) => !isActive(id))
  return (known, random) => {
    const kinds = kindsOf(script)
    const fixed = chance(random, ACTIVE_SHARE) ? new Set([...known, ...idle]) : known
    const exchanges = 1 + below(random, EXCHANGES)
    for (let n = 0; n < exchanges; n++) exchange({ script, demands, kinds, fixed }, random)
    const differing = new Set(
      [...kindsOf(script)].flatMap(([id, k]) => (kinds.get(id) === k ? [] : [id])),
    )
    const twin = differing.size === 0 ? null : replayed(script, armiesOf(script, kinds))
    return twin && { script: twin, differing, active: [...differing].every(isActive) }
  }
}

const EXCHANGES = 120
/** Of the searches, how many exchange nothing but pieces that moved or fought. */
const ACTIVE_SHARE = 0.75

type Kinds = Map<PieceId, PieceKind>

const homeOf = (ruleSet: RuleSet, seat: Seat): PieceId[] => {
  const { homes, spaces } = boardOf(ruleSet)
  return (homes[seat] ?? []).map((index): PieceId => `${seat}:${spaces[index] ?? ''}`)
}

function kindsOf({ ruleSet, setup: { formations } }: Script): Kinds {
  const kinds: Kinds = new Map()
  for (const seat of ruleSet.seats) {
    homeOf(ruleSet, seat).forEach((id, i) => {
      const kind = kindOfSymbol(formations[seat]?.charAt(i) ?? '')
      if (kind !== null) kinds.set(id, kind)
    })
  }
  return kinds
}

function formationOf(ruleSet: RuleSet, seat: Seat, kinds: Kinds): Formation {
  const symbols = homeOf(ruleSet, seat).map((id) => PIECES[kinds.get(id) ?? 'flag'].symbol)
  return symbols.join('')
}

interface Exchange {
  readonly script: Script
  readonly demands: Demands
  readonly kinds: Kinds
  readonly fixed: ReadonlySet<PieceId>
}

function exchange({ script, demands, kinds, fixed }: Exchange, random: Random): void {
  const { ruleSet } = script
  const seat = pick(random, ruleSet.seats)
  const army = seat === undefined ? [] : homeOf(ruleSet, seat).filter((id) => !fixed.has(id))
  const [one, other] = [pick(random, army), pick(random, army)]
  if (seat === undefined || one === undefined || other === undefined) return
  const [a, b] = [kinds.get(one), kinds.get(other)]
  if (a === undefined || b === undefined || a === b) return
  const before: Kinds = new Map([
    [one, a],
    [other, b],
  ])
  const fits = (id: PieceId, kind: PieceKind) =>
    !demands.shown.has(id) &&
    (demands.gaits.get(id)?.includes(kind) ?? true) &&
    fightsAlike({ ruleSet, kinds, demands }, id, kind)
  if (!fits(one, b) || !fits(other, a)) return
  kinds.set(one, b)
  kinds.set(other, a)
  if (checkFormation(ruleSet, formationOf(ruleSet, seat, kinds)) === null) return
  for (const [id, kind] of before) kinds.set(id, kind)
}

interface Armies {
  readonly ruleSet: RuleSet
  readonly kinds: Kinds
  readonly demands: Demands
}

function fightsAlike({ ruleSet, kinds, demands }: Armies, id: PieceId, kind: PieceKind): boolean {
  const now = kinds.get(id)
  return (demands.fights.get(id) ?? []).every(({ attacks, other }) => {
    const against = kinds.get(other)
    if (now === undefined || against === undefined) return false
    const told = (mine: PieceKind) =>
      attacks ? toldOf(ruleSet, mine, against) : toldOf(ruleSet, against, mine)
    return told(kind) === told(now)
  })
}

/** All that everyone learns from an attack. */
function toldOf(ruleSet: RuleSet, attacker: PieceKind, defender: PieceKind): string {
  const { outcome, attackerRemoved, defenderRemoved, flagCaptured, scouted } = resolveCombat(
    attacker,
    defender,
    ruleSet,
  )
  const showsFlag = (kind: PieceKind, removed: boolean) =>
    removed && PIECES[kind].commands && ruleSet.fieldMarshalDeathRevealsFlag
  return [
    outcome,
    flagCaptured,
    scouted ? defender : '',
    showsFlag(attacker, attackerRemoved),
    showsFlag(defender, defenderRemoved),
  ].join()
}

function demandsOf(script: Script): Demands {
  const gaits = new Map<PieceId, readonly PieceKind[]>()
  const fights = new Map<PieceId, Fight[]>()
  const shown = new Set<PieceId>()
  for (const { event, before } of stepsOf(script)) {
    if (event.type === 'pieceMoved' || event.type === 'pieceAttacked') {
      const [mover, target] = [pieceOn(before, event.from), pieceOn(before, event.to)]
      if (mover === null) continue
      gaits.set(mover.id, kindsAbleTo(before, mover, { ...event, kinds: gaits.get(mover.id) }))
      if (target === null) continue
      push(fights, mover.id, { attacks: true, other: target.id })
      push(fights, target.id, { attacks: false, other: mover.id })
    }
    if (event.type === 'flagRevealed' || event.type === 'officerScouted') {
      const piece = pieceOn(before, event.space)
      if (piece !== null) shown.add(piece.id)
    }
  }
  return { gaits, fights, shown }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const values = map.get(key)
  if (values === undefined) map.set(key, [value])
  else values.push(value)
}

/** Of some kinds, all by default, those that could have made a move. */
function kindsAbleTo(
  state: GameState,
  mover: Piece,
  move: Move & { readonly kinds: readonly PieceKind[] | undefined },
): readonly PieceKind[] {
  const index = state.pieces.indexOf(mover)
  const able = new Map<string, boolean>()
  return (move.kinds ?? PIECE_KINDS).filter((kind) => {
    const { moves, role, engineers } = PIECES[kind]
    const gait = [moves, role, engineers].join()
    const known = able.get(gait)
    if (known !== undefined) return known
    const pieces = state.pieces.with(index, { ...mover, kind })
    const legal = mover.seat === null ? [] : legalMoves({ ...state, pieces }, mover.seat)
    const isAble = legal.some(({ from, to }) => from === move.from && to === move.to)
    able.set(gait, isAble)
    return isAble
  })
}

const armiesOf = ({ ruleSet }: Script, kinds: Kinds): Setup => ({
  formations: Object.fromEntries(
    ruleSet.seats.map((seat) => [seat, formationOf(ruleSet, seat, kinds)]),
  ),
})

/** The script from another start; null: something public would differ. */
export function replayed(script: Script, setup: Setup): Script | null {
  let state = startOf({ ...script, setup })
  const acts: Act[] = []
  for (const act of script.acts) {
    const applied = applyCommand(state, act.command)
    if (!applied.ok) throw new Leak(`R-MOVE-6: ${JSON.stringify(act.command)} is refused in a twin`)
    if (JSON.stringify(applied.value.events) !== JSON.stringify(act.events)) return null
    acts.push({ ...act, before: state })
    state = applied.value.state
  }
  return { ...script, setup, acts }
}
