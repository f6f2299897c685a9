import { invariant } from './assert.ts'
import type { GameRecord } from './notation/record.ts'
import { countFlipSequences } from './perft-flip.ts'
import type { Piece } from './piece.ts'
import { replayRecord } from './replay.ts'
import { resolveCombat } from './rules/combat.ts'
import { stuckSeats } from './rules/elimination.ts'
import { resultOf } from './rules/ending.ts'
import { type Ground, groundOf, STAYS } from './rules/ground.ts'
import { canStep, findDestinations, gaitOn, lookAtPiece, type Mover } from './rules/movement.ts'
import { seatAfter } from './rules/turn-order.ts'
import type { PerSeat, Seat } from './seat.ts'
import type { EliminationReason, GameState } from './state.ts'

/** The number of legal move sequences of a length from a record's last position. */
export function perft(record: GameRecord, depth: number): number {
  const replayed = replayRecord(record)
  invariant(replayed.ok, 'perft of a record with an illegal action')
  return countSequences(replayed.value.state, depth)
}

/** The same from a position; an open draw offer is left out of account. */
export function countSequences(state: GameState, depth: number): number {
  if (depth === 0) return 1
  return state.flip === null ? count(mirrorOf(state), depth) : countFlipSequences(state, depth)
}

/**
 * A game that moves are played on and taken back again, for speed. It does what `applyCommand` does
 * for a move, by the same rules, without events; a differential test holds the two equal.
 */
interface Mirror extends Mutable<Omit<GameState, 'pieces'>> {
  readonly ground: Ground
  readonly pieces: (Piece | null)[]
  readonly armies: readonly Army[]
  readonly armyOf: PerSeat<Army>
}

type Mutable<T> = { -readonly [F in keyof T]: T[F] }

/** A seat as a mover that knows the whole board, kept up to date as pieces are placed. */
interface Army extends Mover {
  /** The gaits of its own pieces by space. */
  readonly gaits: Uint8Array
}

function mirrorOf(state: GameState): Mirror {
  const ground = groundOf(state.ruleSet)
  const pieces = [...state.pieces]
  const armies = state.ruleSet.seats.map((seat) => armyOf(ground, pieces, seat))
  const bySeat = Object.fromEntries(armies.map((army) => [army.seat, army]))
  const mirror = { ...state, offer: null, ground, pieces, armies, armyOf: bySeat }
  for (const [index, piece] of state.pieces.entries()) place(mirror, index, piece)
  return mirror
}

const armyOf = (ground: Ground, pieces: Mirror['pieces'], seat: Seat): Army => ({
  ground,
  pieces,
  seat,
  ally: ground.ally[seat],
  occupancy: new Uint8Array(pieces.length),
  gaits: new Uint8Array(pieces.length),
})

/** Puts a piece on a space, or nothing. */
function place({ ground, pieces, armies }: Mirror, index: number, piece: Piece | null): void {
  pieces[index] = piece
  for (const army of armies) {
    army.occupancy[index] = lookAtPiece(army, index)
    const isOwn = piece !== null && piece.seat === army.seat
    army.gaits[index] = isOwn ? gaitOn(ground, index, piece) : STAYS
  }
}

/** The last ply is counted, not made. */
function count(mirror: Mirror, depth: number): number {
  const army = mirror.toMove === null ? undefined : mirror.armyOf[mirror.toMove]
  if (army === undefined) return 0
  if (depth === 1) return countMoves(army)
  let sum = 0
  for (const move of movesOf(army)) {
    const undo = play(mirror, move)
    sum += count(mirror, depth - 1)
    takeBack(mirror, undo)
  }
  return sum
}

function countMoves(army: Army): number {
  const { gaits } = army
  let sum = 0
  for (let from = 0; from < gaits.length; from++) {
    const gait = gaits[from] ?? STAYS
    if (gait !== STAYS) sum += findDestinations(army, from, gait)
  }
  return sum
}

/** A move by the indexes of its spaces. */
interface IndexedMove {
  readonly from: number
  readonly to: number
}

function movesOf(army: Army): readonly IndexedMove[] {
  const { found } = army.ground.scratch
  const moves: IndexedMove[] = []
  for (const [from, gait] of army.gaits.entries()) {
    const destinations = findDestinations(army, from, gait)
    for (let i = 0; i < destinations; i++) moves.push({ from, to: found[i] ?? 0 })
  }
  return moves
}

/** What a move changed, to take it back. */
interface Undo extends IndexedMove {
  readonly attacker: Piece
  readonly defender: Piece | null
  /** The armies of the seats that went out. */
  readonly removed: (readonly [number, Piece])[]
  readonly seats: GameState['seats']
  readonly toMove: Seat
  readonly quiet: number
  readonly skipped: number
}

function play(mirror: Mirror, { from, to }: IndexedMove): Undo {
  const { seats, toMove, quiet, skipped, pieces } = mirror
  const [attacker, defender = null] = [pieces[from], pieces[to]]
  invariant(attacker && toMove !== null, 'a legal move moves a piece')
  const undo = { from, to, attacker, defender, removed: [], seats, toMove, quiet, skipped }
  mirror.moves++
  mirror.quiet++
  mirror.skipped = 0
  mirror.toMove = seatAfter(toMove, mirror.ruleSet, seats)
  if (defender === null) move(mirror, undo)
  else attack(mirror, undo, defender)
  eliminateStuck(mirror, undo)
  if (resultOf(mirror, 'noMoves') !== null) mirror.toMove = null
  return undo
}

function move(mirror: Mirror, { from, to, attacker }: Undo): void {
  place(mirror, from, null)
  place(mirror, to, attacker)
}

function attack(mirror: Mirror, undo: Undo, defender: Piece): void {
  const { from, to, attacker } = undo
  const result = resolveCombat(attacker.kind, defender.kind, mirror.ruleSet)
  if (result.outcome === 'repelled') return
  mirror.quiet = 0
  place(mirror, from, null)
  if (result.defenderRemoved) place(mirror, to, result.attackerRemoved ? null : attacker)
  const { seat } = defender
  if (result.flagCaptured && seat !== null) eliminate(mirror, undo, [seat, 'flagCaptured'])
}

function eliminateStuck(mirror: Mirror, undo: Undo): void {
  const stuck = stuckSeats(mirror, (seat) => canMove(mirror.armyOf[seat]))
  if (stuck.length === 0) return
  for (const seat of stuck) eliminate(mirror, undo, [seat, 'noMoves'])
  eliminateStuck(mirror, undo)
}

function canMove(army: Army | undefined): boolean {
  if (army === undefined) return false
  const search = army.ground.search[army.seat]
  for (let i = 0; i < search.length; i++) {
    const from = search[i] ?? 0
    const gait = army.gaits[from] ?? STAYS
    if (gait !== STAYS && canStep(army, from, gait)) return true
  }
  return false
}

function eliminate(
  mirror: Mirror,
  { removed }: Undo,
  [seat, reason]: readonly [Seat, EliminationReason],
): void {
  for (const [index, piece] of mirror.pieces.entries()) {
    if (piece?.seat !== seat) continue
    removed.push([index, piece])
    place(mirror, index, null)
  }
  const status = mirror.seats[seat]
  invariant(status !== null, `${seat} is not in the game`)
  mirror.seats = { ...mirror.seats, [seat]: { ...status, out: reason } }
  if (mirror.toMove === seat) mirror.toMove = seatAfter(seat, mirror.ruleSet, mirror.seats)
}

function takeBack(mirror: Mirror, undo: Undo): void {
  for (const [index, piece] of undo.removed) place(mirror, index, piece)
  place(mirror, undo.from, undo.attacker)
  place(mirror, undo.to, undo.defender)
  mirror.seats = undo.seats
  mirror.toMove = undo.toMove
  mirror.quiet = undo.quiet
  mirror.skipped = undo.skipped
  mirror.moves--
}
