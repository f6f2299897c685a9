import { type BySeat, bySeat, invariant, SEATS } from '@junqi/engine'
import type { Random } from '../brain.ts'
import { COUNTS, has, KINDS } from '../kinds.ts'
import { pick } from '../random.ts'
import type { Clash } from './clash.ts'
import type { Dossier } from './dossier.ts'
import type { Odds } from './odds.ts'
import type { Story } from './story.ts'

/** One way that everything hidden may be: the kind of every piece, by its place in the formation. */
export type World = BySeat<Int8Array>

/** Exchanges tried for each piece of an army, to forget in which order it was filled. */
const SHUFFLES = 6
/** Exchanges tried at most to make a world agree with every attack. */
const REPAIRS = 10_000
/** How often an exchange may make other attacks disagree, so that repairs do not get stuck. */
const BOLDNESS = 0.1

/** Draws worlds that agree with all that was seen, the likelier the oftener. */
export function worldSource(story: Story, odds: BySeat<Odds>, random: Random): () => World {
  const clashes = story.clashes.filter(
    ({ attacker, defender }) => !isSure(attacker) || !isSure(defender),
  )
  const armies = SEATS.map((seat) => story.armies[seat].filter((piece) => !isSure(piece)))
  return () => {
    const world = bySeat((seat) => drawArmy(story.armies[seat], odds[seat], random))
    const draft = { world, odds, clashes, armies, random }
    shuffle(draft)
    repair(draft)
    return world
  }
}

const isSure = ({ possible }: Dossier): boolean => (possible & (possible - 1)) === 0

/** Gives every piece a kind that it may be, so that the army is whole. */
function drawArmy(army: readonly Dossier[], odds: Odds, random: Random): Int8Array {
  const kinds = new Int8Array(army.length).fill(-1)
  const left = Int8Array.from(COUNTS)
  const order = army
    .map((piece) => ({ piece, freedom: bitsOf(piece.possible) + random() }))
    .sort((one, other) => one.freedom - other.freedom)
  for (const { piece } of order) {
    const kind = drawKind(piece, odds, left, random)
    if (kind >= 0) settle(kinds, left, piece, kind)
    else invariant(makeRoom({ army, kinds, left }, piece, new Set()), 'no army fits what was seen')
  }
  return kinds
}

function settle(kinds: Int8Array, left: Int8Array, { place }: Dossier, kind: number): void {
  kinds[place] = kind
  left[kind] = (left[kind] ?? 0) - 1
}

function drawKind(
  { place, possible }: Dossier,
  odds: Odds,
  left: Int8Array,
  random: Random,
): number {
  let sum = 0
  for (let k = 0; k < KINDS; k++) {
    if ((left[k] ?? 0) > 0 && has(possible, k)) sum += odds[place * KINDS + k] ?? 0
  }
  let drawn = random() * sum
  let last = -1
  for (let k = 0; k < KINDS; k++) {
    if ((left[k] ?? 0) <= 0 || !has(possible, k)) continue
    last = k
    drawn -= odds[place * KINDS + k] ?? 0
    if (drawn < 0) return k
  }
  return last
}

interface Filling {
  readonly army: readonly Dossier[]
  readonly kinds: Int8Array
  readonly left: Int8Array
}

/** Every kind that the piece may be is taken: others give way, one after the other. */
function makeRoom(filling: Filling, piece: Dossier, asked: Set<number>): boolean {
  const { army, kinds, left } = filling
  for (let k = 0; k < KINDS; k++) {
    if (!has(piece.possible, k) || asked.has(k)) continue
    asked.add(k)
    if ((left[k] ?? 0) > 0) {
      settle(kinds, left, piece, k)
      return true
    }
    for (const other of army) {
      if (kinds[other.place] !== k) continue
      kinds[other.place] = -1
      if (makeRoom(filling, other, asked)) {
        kinds[piece.place] = k
        return true
      }
      kinds[other.place] = k
    }
  }
  return false
}

interface Draft {
  readonly world: World
  readonly odds: BySeat<Odds>
  /** The attacks that still leave something open. */
  readonly clashes: readonly Clash[]
  /** The pieces whose kind is open, by army. */
  readonly armies: readonly (readonly Dossier[])[]
  readonly random: Random
}

/** Exchanges kinds within armies by how likely they are, and never to agree with fewer attacks. */
function shuffle(draft: Draft): void {
  for (const army of draft.armies) {
    for (let tries = SHUFFLES * army.length; tries > 0; tries--) {
      exchange(draft, pick(army, draft.random), { bold: false })
    }
  }
}

/** Exchanges kinds of pieces in attacks that the world disagrees with, until there are none. */
function repair(draft: Draft): void {
  for (let tries = 0; tries < REPAIRS; tries++) {
    const wrong = draft.clashes.filter((clash) => !agrees(draft.world, clash))
    if (wrong.length === 0) return
    const { attacker, defender } = pick(wrong, draft.random)
    const open = [attacker, defender].filter((piece) => !isSure(piece))
    exchange(draft, pick(open, draft.random), { bold: true })
  }
}

/** Exchanges the kind of a piece with that of another of its army; `bold` at the cost of other attacks now and then. */
function exchange(draft: Draft, one: Dossier, { bold }: { readonly bold: boolean }): void {
  const { world, odds, armies, clashes, random } = draft
  const army = armies.find((pieces) => pieces[0]?.seat === one.seat) ?? [one]
  const other = pick(army, random)
  const kinds = world[one.seat]
  const [a, b] = [kinds[one.place] ?? -1, kinds[other.place] ?? -1]
  if (a === b || !has(one.possible, b) || !has(other.possible, a)) return
  const likely = (piece: Dossier, kind: number) => odds[piece.seat][piece.place * KINDS + kind] ?? 0
  const concerned = clashes.filter(
    ({ attacker, defender }) =>
      attacker === one || attacker === other || defender === one || defender === other,
  )
  const before = disagreements(world, concerned)
  kinds[one.place] = b
  kinds[other.place] = a
  const worse = disagreements(world, concerned) - before
  const ratio = (likely(one, b) * likely(other, a)) / (likely(one, a) * likely(other, b))
  const wanted = bold
    ? worse <= 0 || random() < BOLDNESS
    : worse < 0 || (worse === 0 && random() <= ratio)
  if (wanted) return
  kinds[one.place] = a
  kinds[other.place] = b
}

/** How many of the attacks would not have gone as they did. */
export const disagreements = (world: World, clashes: readonly Clash[]): number =>
  clashes.filter((clash) => !agrees(world, clash)).length

function agrees(world: World, { attacker, defender, fits }: Clash): boolean {
  const a = world[attacker.seat][attacker.place] ?? -1
  const d = world[defender.seat][defender.place] ?? -1
  return fits[a * KINDS + d] === 1
}

function bitsOf(set: number): number {
  let bits = 0
  for (let rest = set; rest !== 0; rest &= rest - 1) bits++
  return bits
}
