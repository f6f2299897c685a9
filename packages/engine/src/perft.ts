import { invariant } from './assert.ts'
import type { GameRecord } from './notation/record.ts'
import type { Piece } from './piece.ts'
import { replayRecord } from './replay.ts'
import { resolveCombat } from './rules/combat.ts'
import { stuckSeats } from './rules/elimination.ts'
import { resultOf } from './rules/ending.ts'
import { type Gait, type Ground, groundOf, type Move } from './rules/ground.ts'
import { findDestinations, gaitOn, lookAtPiece, type Mover, movesOf } from './rules/movement.ts'
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
  return count(mirrorOf(state), depth)
}

/**
 * A game that moves are played on and taken back again, for speed. It does what `applyCommand` does
 * for a move, by the same rules, without events; a differential test holds the two equal.
 */
interface Mirror extends Mutable<Omit<GameState, 'pieces'>> {
  readonly ground: Ground
  readonly pieces: (Piece | null)[]
  readonly armies: PerSeat<Army>
}

type Mutable<T> = { -readonly [F in keyof T]: T[F] }

/** A seat as a mover that knows the whole board, kept up to date as pieces are placed. */
interface Army extends Mover {
  /** The gaits of its own pieces by space; 0 where nothing of it stands that moves. */
  readonly gaits: Uint8Array
}

const GAITS: readonly Gait[] = ['stays', 'walks', 'roams']

function mirrorOf(state: GameState): Mirror {
  const ground = groundOf(state.ruleSet)
  const pieces = [...state.pieces]
  const size = pieces.length
  const armies = state.ruleSet.seats.map((seat): [Seat, Army] => {
    const [occupancy, gaits] = [new Uint8Array(size), new Uint8Array(size)]
    return [seat, { ground, pieces, seat, ally: ground.ally[seat], occupancy, gaits }]
  })
  const mirror = { ...state, offer: null, ground, pieces, armies: Object.fromEntries(armies) }
  for (const [index, piece] of state.pieces.entries()) place(mirror, index, piece)
  return mirror
}

/** Puts a piece on a space, or nothing. */
function place({ ground, pieces, ruleSet, armies }: Mirror, index: number, piece: Piece | null) {
  pieces[index] = piece
  for (const seat of ruleSet.seats) {
    const army = armies[seat]
    if (army === undefined) continue
    army.occupancy[index] = lookAtPiece(army, index)
    army.gaits[index] = piece?.seat === seat ? GAITS.indexOf(gaitOn(ground, index, piece)) : 0
  }
}

/** What a move changed, to take it back. */
interface Undo {
  /** What stood on the spaces that changed, the first change first. */
  readonly spaces: (readonly [number, Piece | null])[]
  readonly before: Pick<GameState, 'seats' | 'toMove' | 'quiet' | 'skipped'>
}

/** The last ply is counted, not made. */
function count(mirror: Mirror, depth: number): number {
  const seat = mirror.toMove
  if (seat === null) return 0
  if (depth === 1) return countMoves(mirror.armies[seat])
  let sum = 0
  for (const move of movesOf(mirror.ground, mirror.pieces, seat)) {
    const undo = play(mirror, move)
    sum += count(mirror, depth - 1)
    takeBack(mirror, undo)
  }
  return sum
}

function countMoves(army: Army | undefined): number {
  if (army === undefined) return 0
  const { gaits } = army
  let sum = 0
  for (let from = 0; from < gaits.length; from++) {
    const gait = gaits[from] ?? 0
    if (gait !== 0) sum += findDestinations(army, from, GAITS[gait] ?? 'stays')
  }
  return sum
}

function play(mirror: Mirror, move: Move): Undo {
  const { seats, toMove, quiet, skipped } = mirror
  const undo: Undo = { spaces: [], before: { seats, toMove, quiet, skipped } }
  invariant(toMove !== null, 'a move after the end')
  mirror.moves++
  mirror.quiet++
  mirror.skipped = 0
  mirror.toMove = seatAfter(toMove, mirror.ruleSet, seats)
  step(mirror, undo, indexesOf(mirror.ground, move))
  for (let stuck = stuckSeats(mirror); stuck.length > 0; stuck = stuckSeats(mirror)) {
    for (const seat of stuck) eliminate(mirror, undo, { seat, reason: 'noMoves' })
  }
  if (resultOf(mirror, 'noMoves') !== null) mirror.toMove = null
  return undo
}

const indexesOf = ({ board }: Ground, { from, to }: Move) => ({
  from: board.indexOf.get(from) ?? 0,
  to: board.indexOf.get(to) ?? 0,
})

/** The move itself, and what the attack does if it is one. */
function step(mirror: Mirror, undo: Undo, { from, to }: { from: number; to: number }): void {
  const { pieces, ruleSet } = mirror
  const [attacker = null, defender = null] = [pieces[from], pieces[to]]
  invariant(attacker !== null, 'a legal move moves a piece')
  undo.spaces.push([from, attacker], [to, defender])
  if (defender === null) {
    place(mirror, from, null)
    place(mirror, to, attacker)
    return
  }
  const result = resolveCombat(attacker.kind, defender.kind, ruleSet)
  if (result.outcome === 'repelled') return
  mirror.quiet = 0
  place(mirror, from, null)
  if (result.defenderRemoved) place(mirror, to, result.attackerRemoved ? null : attacker)
  if (result.flagCaptured) {
    eliminate(mirror, undo, { seat: defender.seat, reason: 'flagCaptured' })
  }
}

function eliminate(
  mirror: Mirror,
  { spaces }: Undo,
  { seat, reason }: { readonly seat: Seat; readonly reason: EliminationReason },
): void {
  for (const [index, piece] of mirror.pieces.entries()) {
    if (piece?.seat !== seat) continue
    spaces.push([index, piece])
    place(mirror, index, null)
  }
  const status = mirror.seats[seat]
  invariant(status !== null, `${seat} is not in the game`)
  mirror.seats = { ...mirror.seats, [seat]: { ...status, out: reason } }
  if (mirror.toMove === seat) mirror.toMove = seatAfter(seat, mirror.ruleSet, mirror.seats)
}

function takeBack(mirror: Mirror, { spaces, before }: Undo): void {
  for (const [index, piece] of spaces.reverse()) place(mirror, index, piece)
  mirror.seats = before.seats
  mirror.toMove = before.toMove
  mirror.quiet = before.quiet
  mirror.skipped = before.skipped
  mirror.moves--
}
