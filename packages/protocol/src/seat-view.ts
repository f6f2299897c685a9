import { z } from 'zod'
import {
  colour,
  eliminationReason,
  endReason,
  formation,
  layout,
  pieceKind,
  seat,
  spaceId,
  turn,
} from './primitives.ts'

/** Something for each of the four seats. */
export const bySeat = <T extends z.ZodType>(value: T) =>
  z.strictObject({ south: value, east: value, north: value, west: value })

const count = z.number().int().nonnegative()

export const formationsBySeat = bySeat(formation.nullable()).describe(
  "The formations that you may see: your own always, everyone's at the end. Null: hidden, or no such seat.",
)

export const pieceView = z
  .strictObject({
    id: z
      .templateLiteral([z.union([z.templateLiteral([seat, ':']), z.literal('@')]), z.string()])
      .describe(
        'Its seat and its first space, such as `south:h1`: whose it is, and nothing else. In a flip game `@` and its first space, for good.',
      ),
    space: spaceId,
    kind: z.union([pieceKind, z.literal('hidden')]),
    colour: colour
      .nullable()
      .exactOptional()
      .describe('In a flip game only. Null: it lies face down, and `kind` is `hidden`.'),
  })
  .meta({ id: 'PieceView', description: 'A piece as you see it.' })

export const coloursBySeat = z
  .partialRecord(seat, colour)
  .describe('The colour of each seat of the game: `{"south":"r","north":"b"}`.')

const removedKinds = z.array(pieceKind)

export const flipView = z
  .strictObject({
    colours: coloursBySeat.nullable().describe('Who plays which colour. Null: still open.'),
    first: z
      .strictObject({ seat, colour })
      .nullable()
      .describe('Who turned the first piece up, and its colour. Null: nobody yet.'),
    latest: z
      .partialRecord(seat, colour)
      .describe("The colour of each seat's latest flip; `{}` at the start."),
    removed: z
      .strictObject({ r: removedKinds, b: removedKinds })
      .describe(
        'What attacks have removed, in order. The rest of the 25 of each colour is on the board, face up or face down.',
      ),
    layout: layout.nullable().describe('Null until the game is over (R-END-6).'),
  })
  .meta({ id: 'FlipView', description: 'A flip game beside its board; all of it is public.' })

export const seatStatus = z
  .strictObject({
    out: eliminationReason.nullable().describe('Why the seat is out. Null: it is in.'),
    timeouts: count.describe('Turns that it let pass by.'),
    turns: count.describe('Its own turns so far, moves and skips.'),
    offeredAt: count.nullable().describe('`turns` at its last draw offer.'),
  })
  .meta({ id: 'SeatStatus', description: 'How a seat stands in the game.' })

export const drawOffer = z
  .strictObject({
    number: count.describe('What `answerDraw` names: 1, 2, 3 ... in a game.'),
    by: seat,
    accepted: z.array(seat).describe('Who has said yes.'),
  })
  .meta({ id: 'DrawOffer', description: 'The draw offer that is open.' })

export const gameResult = z
  .strictObject({
    winners: z.array(seat).describe('Empty: a draw, or a game ended by leaving.'),
    reason: endReason,
  })
  .meta({ id: 'GameResult', description: 'How a game ended.' })

export const gameView = z
  .strictObject({
    pieces: z.array(pieceView).describe('Every piece on the board.'),
    seats: bySeat(seatStatus.nullable()).describe('Null: a seat that is not in the game.'),
    first: seat.describe('Who made the first turn.'),
    toMove: seat.nullable().describe('Null: the game is over.'),
    turn: turn.describe('Turns completed: what your `move` names.'),
    moves: count.describe('Moves made; skips do not count.'),
    quiet: count.describe('Moves in a row in which nothing was removed (R-END-3).'),
    skipped: count.describe('Skipped turns in a row (R-END-4).'),
    offer: drawOffer.nullable(),
    offers: count.describe('Draw offers so far.'),
    result: gameResult.nullable(),
    formations: formationsBySeat,
    flip: flipView.exactOptional().describe('In a flip game only.'),
  })
  .meta({ id: 'GameView', description: 'A game as you see it.' })
