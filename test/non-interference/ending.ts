import {
  allianceOf,
  type Board,
  boardOf,
  decide,
  type GameState,
  legalMoves,
  type Move,
  type Seat,
  seatsIn,
} from '@junqi/engine'
import { resolveCombat } from '../../packages/engine/src/rules/combat.ts'
import { pieceOn } from './knowledge.ts'
import { pick, type Random } from './random.ts'
import type { ScriptedCommand } from './script.ts'

/** How a game is brought to its end: somebody has to lose, or all have to agree, or nothing may happen any more. */
export const ENDINGS = ['flag', 'resign', 'agree', 'quiet', 'leave', 'timeout'] as const
export type Ending = (typeof ENDINGS)[number]

/** What is done next, for the game to end so; null: nothing leads there now. */
export function towards(ending: Ending, state: GameState, random: Random): ScriptedCommand | null {
  const { toMove: seat } = state
  const loser = seatsIn(state.seats).find((one) => !isWinner(state, one))
  if (seat === null || loser === undefined) return null
  const isLosing = !isWinner(state, seat)
  switch (ending) {
    case 'flag':
      return isLosing ? quietMove(state, seat, random) : approach(state, seat, random)
    case 'resign':
      return isLosing && decide(state, { type: 'resign', seat }).ok
        ? { type: 'resign', seat }
        : null
    case 'agree':
      return agreement(state)
    case 'quiet':
      return quietMove(state, seat, random)
    case 'leave':
      return { type: 'leave', seat: loser }
    case 'timeout':
      return isLosing ? { type: 'timeout', seat } : quietMove(state, seat, random)
  }
}

/** The alliance of the first seat that is still in is to win. */
function isWinner({ ruleSet, seats }: GameState, seat: Seat): boolean {
  const [first] = seatsIn(seats)
  return first !== undefined && allianceOf(ruleSet, first).includes(seat)
}

/** Somebody offers, and all others say yes. */
function agreement(state: GameState): ScriptedCommand | null {
  const { offer } = state
  const commands = seatsIn(state.seats).map(
    (seat): ScriptedCommand =>
      offer === null
        ? { type: 'offerDraw', seat }
        : { type: 'answerDraw', seat, offer: offer.number, accept: true },
  )
  return commands.find((command) => decide(state, command).ok) ?? null
}

const moveOf = (seat: Seat, move: Move | undefined): ScriptedCommand | null =>
  move === undefined ? null : { type: 'movePiece', seat, ...move }

function quietMove(state: GameState, seat: Seat, random: Random): ScriptedCommand | null {
  const moves = legalMoves(state, seat).filter(({ to }) => pieceOn(state, to) === null)
  return moveOf(seat, pick(random, moves))
}

/** Of the moves that do not lose a piece for nothing, one that brings a piece nearest to an enemy's flag. */
function approach(state: GameState, seat: Seat, random: Random): ScriptedCommand | null {
  const distances = distancesToFlags(state)
  const rated = legalMoves(state, seat)
    .filter((move) => isWorthwhile(state, move))
    .map(({ from, to }) => {
      const [far = FAR, near = FAR] = [distances.get(from), distances.get(to)]
      return { from, to, worth: (near === 0 ? 100 : 0) + far - near - near / 4 + random() }
    })
    .sort((one, other) => other.worth - one.worth)
  const [best] = rated
  return best === undefined ? null : { type: 'movePiece', seat, from: best.from, to: best.to }
}

const FAR = 99

function isWorthwhile(state: GameState, { from, to }: Move): boolean {
  const [mover, target] = [pieceOn(state, from), pieceOn(state, to)]
  if (mover === null || target === null) return true
  const { outcome } = resolveCombat(mover.kind, target.kind, state.ruleSet)
  return outcome === 'attackerWins' || outcome === 'bothRemoved'
}

/** Of each space, over how many links the nearest flag of a losing seat lies. */
function distancesToFlags(state: GameState): ReadonlyMap<string, number> {
  const board = boardOf(state.ruleSet)
  const flags = board.spaces.filter((space) => {
    const piece = pieceOn(state, space)
    return piece?.kind === 'flag' && piece.seat !== null && !isWinner(state, piece.seat)
  })
  const distances = new Map(flags.map((space) => [space, 0]))
  const neighbours = neighboursOn(board)
  for (const [space, distance] of distances) {
    for (const next of neighbours.get(space) ?? []) {
      if (!distances.has(next)) distances.set(next, distance + 1)
    }
  }
  return distances
}

function neighboursOn({ links, spaces }: Board): ReadonlyMap<string, readonly string[]> {
  const neighbours = new Map(spaces.map((space): [string, string[]] => [space, []]))
  for (const { a, b } of links) {
    const [one = '', other = ''] = [spaces[a], spaces[b]]
    neighbours.get(one)?.push(other)
    neighbours.get(other)?.push(one)
  }
  return neighbours
}
