import {
  boardOf,
  type Formation,
  kindOfSymbol,
  type PieceId,
  type PieceKind,
  type RuleSet,
  type Seat,
  seatOfPiece,
} from '@junqi/engine'

/** The kinds of those of these pieces that are the seat's own, which its formation tells. */
export function ownKinds(
  ruleSet: RuleSet,
  { seat, formation }: { readonly seat: Seat; readonly formation: Formation },
  pieces: readonly PieceId[],
): readonly PieceKind[] {
  const { homes, indexOf } = boardOf(ruleSet)
  return pieces
    .filter((piece) => seatOfPiece(piece) === seat)
    .flatMap((piece) => {
      const start = indexOf.get(piece.slice(seat.length + 1)) ?? -1
      return kindOfSymbol(formation.charAt(homes[seat]?.indexOf(start) ?? -1)) ?? []
    })
}
