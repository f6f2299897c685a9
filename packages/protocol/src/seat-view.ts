import { z } from 'zod'
import {
  eliminationReason,
  endReason,
  formation,
  pieceKind,
  seat,
  spaceId,
  turn,
} from './primitives.ts'

/** Something for each of the four seats. */
export const bySeat = <T extends z.ZodType>(value: T) =>
  z.strictObject({ south: value, east: value, north: value, west: value })

const count = z.number().int().nonnegative()

export const pieceView = z.strictObject({
  /** Its seat and its first space: `south:h1`. */
  id: z.templateLiteral([seat, ':', z.string()]),
  space: spaceId,
  kind: z.union([pieceKind, z.literal('hidden')]),
})

export const seatStatus = z.strictObject({
  out: eliminationReason.nullable(),
  timeouts: count,
  turns: count,
  offeredAt: count.nullable(),
})

export const drawOffer = z.strictObject({ number: count, by: seat, accepted: z.array(seat) })

export const gameResult = z.strictObject({ winners: z.array(seat), reason: endReason })

/** A game as one viewer sees it. */
export const gameView = z.strictObject({
  pieces: z.array(pieceView),
  seats: bySeat(seatStatus.nullable()),
  first: seat,
  toMove: seat.nullable(),
  turn,
  moves: count,
  quiet: count,
  skipped: count,
  offer: drawOffer.nullable(),
  offers: count,
  result: gameResult.nullable(),
  formations: bySeat(formation.nullable()),
})
