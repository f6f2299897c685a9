import { boardOf, type PieceKind, type Seat } from '@junqi/engine'
import { type Script, statesOf } from './scripts.ts'

/** The game of a script for servers that know no rules: they are told what comes of each move. */
export interface PeerGame {
  /** `[space, seat, kind]`. */
  readonly pieces: readonly (readonly [string, Seat, PieceKind])[]
  readonly moves: readonly PeerMove[]
}

interface PeerMove {
  readonly seat: Seat
  readonly from: string
  readonly to: string
  /** What stands at `to` afterwards. */
  readonly left: 'mover' | 'other' | 'none'
}

export function peerGame(script: Script): PeerGame {
  const states = statesOf(script)
  const [first] = states
  if (first === undefined) throw new Error('a script has a beginning')
  const { spaces, indexOf } = boardOf(first.ruleSet)
  const pieces = first.pieces.flatMap((piece, i) => {
    const space = spaces[i]
    if (piece === null || piece.seat === null || space === undefined) return []
    return [[space, piece.seat, piece.kind] as const]
  })
  const pieceAt = (turn: number, space: string) =>
    states[turn]?.pieces[indexOf.get(space) ?? -1] ?? null
  const moves = script.moves.map(({ seat, move: { from, to } }, i): PeerMove => {
    const after = pieceAt(i + 1, to)
    const isMover = after?.id === pieceAt(i, from)?.id
    return { seat, from, to, left: after === null ? 'none' : isMover ? 'mover' : 'other' }
  })
  return { pieces, moves }
}
