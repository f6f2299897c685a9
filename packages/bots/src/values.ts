import { PIECE_KINDS, type PieceKind } from '@junqi/engine'

const WORTH: Readonly<Record<PieceKind, number>> = {
  fieldMarshal: 32,
  general: 25,
  majorGeneral: 18,
  brigadier: 12.5,
  colonel: 8.5,
  major: 6,
  captain: 4,
  lieutenant: 3,
  engineer: 5,
  bomb: 11,
  landmine: 5,
  flag: 150,
}

/** What a piece of a kind is worth, by the kind's number. */
export const VALUES: Float64Array = Float64Array.from(PIECE_KINDS, (kind) => WORTH[kind])
