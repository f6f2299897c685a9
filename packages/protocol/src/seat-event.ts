import { z } from 'zod'
import {
  attackOutcome,
  colour,
  eliminationReason,
  endReason,
  layout,
  pieceKind,
  seat,
  spaceId,
} from './primitives.ts'
import { coloursBySeat, formationsBySeat, pieceView } from './seat-view.ts'

const offer = z.number().int().min(1)

/** What everyone is told of a game, just as it happened; the items of a snapshot's `history`. */
const publicEvents = [
  z
    .strictObject({ type: z.literal('pieceMoved'), from: spaceId, to: spaceId })
    .describe('The seat to move moved a piece.'),
  z
    .strictObject({
      type: z.literal('pieceAttacked'),
      from: spaceId,
      to: spaceId,
      outcome: attackOutcome,
    })
    .describe('It attacked. No kind is told (R-FIGHT-7).'),
  z
    .strictObject({ type: z.literal('flagRevealed'), seat, space: spaceId })
    .describe("A field marshal fell: the space of its owner's flag (R-FIGHT-8)."),
  z
    .strictObject({ type: z.literal('officerScouted'), space: spaceId, kind: pieceKind })
    .describe('An engineer found out what stands there (R-FIGHT-6).'),
  z
    .strictObject({ type: z.literal('pieceFlipped'), space: spaceId, colour, kind: pieceKind })
    .describe('The seat to move turned up what lay face down there (R-FLIP-2).'),
  z
    .strictObject({ type: z.literal('coloursKnown'), colours: coloursBySeat })
    .describe('By the flip just before it is known who plays which colour (R-FLIP-3).'),
  z
    .strictObject({ type: z.literal('turnSkipped'), seat })
    .describe("The seat's time ran out (R-OUT-4)."),
  z
    .strictObject({ type: z.literal('seatEliminated'), seat, reason: eliminationReason })
    .describe('The seat is out; its army leaves the board (R-OUT-2).'),
  z.strictObject({ type: z.literal('drawOffered'), seat, offer }).describe('A draw was offered.'),
  z
    .strictObject({ type: z.literal('drawAnswered'), seat, offer, accept: z.boolean() })
    .describe('It was answered. A no ends the offer.'),
  z
    .strictObject({ type: z.literal('drawLapsed'), offer })
    .describe('Its maker moved, was skipped or went out.'),
] as const
export const publicEvent = z
  .discriminatedUnion('type', publicEvents)
  .meta({ id: 'PublicEvent', description: 'What everyone is told of a game.' })

export const seatEvents = [
  z
    .strictObject({
      type: z.literal('gameStarted'),
      first: seat,
      pieces: z.array(pieceView),
      formations: formationsBySeat,
    })
    .describe('Play starts: the board as you see it.'),
  ...publicEvents,
  z
    .strictObject({
      type: z.literal('piecesShown'),
      pieces: z.array(z.strictObject({ space: spaceId, kind: pieceKind })),
    })
    .describe('You are out, and see these pieces from now on (R-OUT-6).'),
  z
    .strictObject({
      type: z.literal('gameEnded'),
      winners: z.array(seat),
      reason: endReason,
      formations: formationsBySeat,
      layout: layout.exactOptional().describe('Of a flip game, which has no formations.'),
    })
    .describe(
      'The end: all formations, or the layout, from which the kind of every piece follows (R-END-6).',
    ),
] as const
/** What one viewer learns of a game from one event. */
export const seatEvent = z.discriminatedUnion('type', seatEvents)
