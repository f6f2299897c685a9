import { z } from 'zod'
import {
  attackOutcome,
  eliminationReason,
  endReason,
  formation,
  pieceKind,
  seat,
  spaceId,
} from './primitives.ts'
import { bySeat, pieceView } from './seat-view.ts'

const offer = z.number().int().positive()

/** What everyone is told of a game, just as it happened; the items of a snapshot's `history`. */
export const publicEvents = [
  z.strictObject({ type: z.literal('pieceMoved'), from: spaceId, to: spaceId }),
  z.strictObject({
    type: z.literal('pieceAttacked'),
    from: spaceId,
    to: spaceId,
    outcome: attackOutcome,
  }),
  z.strictObject({ type: z.literal('flagRevealed'), seat, space: spaceId }),
  z.strictObject({ type: z.literal('officerScouted'), space: spaceId, kind: pieceKind }),
  z.strictObject({ type: z.literal('turnSkipped'), seat }),
  z.strictObject({ type: z.literal('seatEliminated'), seat, reason: eliminationReason }),
  z.strictObject({ type: z.literal('drawOffered'), seat, offer }),
  z.strictObject({ type: z.literal('drawAnswered'), seat, offer, accept: z.boolean() }),
  z.strictObject({ type: z.literal('drawLapsed'), offer }),
] as const
export const publicEvent = z.discriminatedUnion('type', publicEvents)

export const seatEvents = [
  ...publicEvents,
  z.strictObject({
    type: z.literal('gameStarted'),
    first: seat,
    pieces: z.array(pieceView),
    formations: bySeat(formation.nullable()),
  }),
  z.strictObject({
    type: z.literal('piecesShown'),
    pieces: z.array(z.strictObject({ space: spaceId, kind: pieceKind })),
  }),
  z.strictObject({
    type: z.literal('gameEnded'),
    winners: z.array(seat),
    reason: endReason,
    formations: bySeat(formation.nullable()),
  }),
] as const
/** What one viewer learns of a game from one event. */
export const seatEvent = z.discriminatedUnion('type', seatEvents)
