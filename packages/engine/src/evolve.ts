import { assertNever, invariant } from './assert.ts'
import type { SpaceId } from './board/board.ts'
import type { AttackOutcome, GameEvent } from './event.ts'
import { evolveFlip } from './evolve-flip.ts'
import { evolvePublic } from './evolve-public.ts'
import { newGame } from './new-game.ts'
import type { Piece } from './piece.ts'
import { seatOfColour } from './rules/flip-colour.ts'
import { boardOf, type Move } from './rules/ground.ts'
import type { RuleSet } from './rules/rule-set.ts'
import type { FlipState, GameState } from './state.ts'

/** The game after an event. Events are facts: they are not judged here. */
export function evolve(state: GameState, event: GameEvent): GameState {
  if (event.type === 'gameStarted') return newGame(state.ruleSet, event)
  const pieces = evolvePieces(state, event)
  const after = evolvePublic(state.ruleSet, state, event)
  return {
    ruleSet: state.ruleSet,
    formations: state.formations,
    flip: state.flip === null ? null : flipAfter(state, state.flip, event),
    layout: state.layout,
    pieces,
    seats: after.seats,
    first: after.first,
    toMove: after.toMove,
    turn: after.turn,
    moves: after.moves,
    quiet: after.quiet,
    skipped: after.skipped,
    offer: after.offer,
    offers: after.offers,
    result: after.result,
  }
}

type Pieces = GameState['pieces']

function evolvePieces(
  { ruleSet, pieces, flip }: GameState,
  event: Exclude<GameEvent, { type: 'gameStarted' }>,
): Pieces {
  switch (event.type) {
    case 'pieceMoved':
      return afterMove(ruleSet, pieces, event, 'attackerWins')
    case 'pieceAttacked':
      return afterMove(ruleSet, pieces, event, event.outcome)
    case 'flagRevealed':
    case 'officerScouted':
      return withShown(pieces, indexOf(ruleSet, event.space))
    case 'pieceFlipped':
      return withFaceUp(pieces, indexOf(ruleSet, event.space), flip)
    case 'coloursKnown':
      return pieces.map((piece) => (piece?.shown ? owned(piece, event) : piece))
    case 'seatEliminated':
      return pieces.map((piece) => (piece?.seat === event.seat ? null : piece))
    case 'turnSkipped':
    case 'drawOffered':
    case 'drawAnswered':
    case 'drawLapsed':
    case 'gameEnded':
      return pieces
    default:
      return assertNever(event)
  }
}

const flipAfter = ({ ruleSet, pieces, toMove }: GameState, flip: FlipState, event: GameEvent) =>
  evolveFlip(
    {
      flip,
      toMove,
      faceUpOn: (space) => {
        const { colour, kind } = pieceOn(pieces, indexOf(ruleSet, space))
        invariant(colour !== undefined, `no colour on ${space}`)
        return { colour, kind }
      },
    },
    event,
  )

function indexOf(ruleSet: RuleSet, space: SpaceId): number {
  const index = boardOf(ruleSet).indexOf.get(space)
  invariant(index !== undefined, `no space ${space} on this board`)
  return index
}

/** R-FIGHT-5. A move to an empty space leaves the same picture as a won attack. */
function afterMove(
  ruleSet: RuleSet,
  pieces: Pieces,
  { from, to }: Move,
  outcome: AttackOutcome,
): Pieces {
  if (outcome === 'repelled') return pieces
  const [origin, target] = [indexOf(ruleSet, from), indexOf(ruleSet, to)]
  const after = pieces.slice()
  after[origin] = null
  if (outcome === 'attackerWins') after[target] = pieces[origin] ?? null
  if (outcome === 'bothRemoved') after[target] = null
  return after
}

const withShown = (pieces: Pieces, index: number): Pieces =>
  pieces.with(index, { ...pieceOn(pieces, index), shown: true })

/** R-FLIP-1: a piece is somebody's from when it lies face up and the colours are known. */
function withFaceUp(pieces: Pieces, index: number, flip: FlipState | null): Pieces {
  const piece = { ...pieceOn(pieces, index), shown: true }
  return pieces.with(index, flip === null ? piece : owned(piece, flip))
}

const owned = (piece: Piece, flip: Pick<FlipState, 'colours'>): Piece => ({
  ...piece,
  seat: piece.colour === undefined ? piece.seat : seatOfColour(flip, piece.colour),
})

function pieceOn(pieces: Pieces, index: number): Piece {
  const piece = pieces[index]
  invariant(piece, 'nothing stands there')
  return piece
}
