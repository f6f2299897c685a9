import {
  boardOf,
  type Colour,
  type Formation,
  type GameView,
  isSeat,
  type PieceId,
  type PieceKind,
  type RuleSet,
  type Seat,
  type SpaceId,
  seatOfPiece,
} from '@junqi/engine'
import type { LastShown } from '../board/board.tsx'
import type { Suit } from '../board/emblem.ts'
import { ownKinds } from '../board/own-kinds.ts'
import type { DrawnPiece } from '../board/piece.tsx'
import type { LastMove, Story, StoryLine } from '../board/story.ts'
import { listOf } from '../i18n/i18n.ts'
import type { Catalogue } from '../i18n/zh.ts'
import type { Marks } from '../marks/marks.ts'

/** The pieces of a view with what is written on them. */
export function drawnPieces(
  { pieces }: Pick<GameView, 'pieces'>,
  { faces, play }: Catalogue,
  { marks, moved }: { readonly marks: Marks; readonly moved: ReadonlySet<PieceId> },
): ReadonlyMap<SpaceId, DrawnPiece> {
  const faceOf = (mark: Marks[PieceId]): string | null =>
    mark === undefined ? null : mark === 'notLandmine' ? play.notLandmineFace : faces[mark]
  return new Map(
    pieces.map(({ id, space, kind, colour }) => [
      space,
      {
        id,
        suit: suitOf(id, colour),
        kind: kind === 'hidden' ? null : kind,
        face: kind === 'hidden' ? null : faces[kind],
        guess: kind === 'hidden' ? faceOf(marks[id]) : null,
        hasMoved: moved.has(id),
      },
    ]),
  )
}

/** In a flip game a piece has a colour once it lies face up; else its id names its seat. */
function suitOf(id: PieceId, colour: Colour | null | undefined): Suit {
  if (colour === undefined) return seatOfPiece(id)
  return colour ?? 'down'
}

/** Whose pieces these are, in words. */
const ownerOf = (suit: Exclude<Suit, 'down'>, { seats, colours }: Catalogue): string =>
  suit === 'r' || suit === 'b' ? colours[suit] : seats[suit]

/** A kind as it is read aloud where its short form is written. */
export const spoken = (kind: PieceKind, { kinds, faces }: Catalogue): string =>
  kinds[kind] === faces[kind] ? kinds[kind] : `${faces[kind]} ${kinds[kind]}`

/** What is to be said of the spaces of a board. */
interface Spoken {
  readonly pieces: ReadonlyMap<SpaceId, DrawnPiece>
  /** Where the selected piece may go. */
  readonly targets: ReadonlySet<SpaceId>
}

/** What a space is called aloud: its name, what it is, what stands there as far as it is known, and if it can be gone to. */
export function spaceNamer(
  ruleSet: RuleSet,
  { pieces, targets }: Spoken,
  catalogue: Catalogue,
): (space: SpaceId) => string {
  const board = boardOf(ruleSet)
  const { spaceKinds, play } = catalogue
  return (space) => {
    const kind = board.kinds[board.indexOf.get(space) ?? -1] ?? 'post'
    const piece = pieces.get(space)
    const parts = [play.space(space, spaceKinds[kind])]
    if (piece !== undefined) parts.push(...partsFor(piece, catalogue))
    if (targets.has(space)) parts.push(piece === undefined ? play.target : play.attackable)
    return parts.join(', ')
  }
}

function partsFor({ suit, kind, guess, hasMoved }: DrawnPiece, catalogue: Catalogue): string[] {
  const { kinds, hidden, play, faceDown } = catalogue
  if (suit === 'down') return [faceDown]
  const parts = [play.piece(ownerOf(suit, catalogue), kind === null ? hidden : kinds[kind])]
  if (guess !== null) parts.push(play.marked(guess))
  if (hasMoved) parts.push(play.hasMoved)
  return parts
}

/** One thing that happened, as a sentence. */
export function sentenceFor(line: StoryLine, { play, seats, colours, kinds }: Catalogue): string {
  switch (line.type) {
    case 'move': {
      const move = play.lines.move(seats[line.seat], line.from, line.to)
      if (line.outcome === null || line.attacked === null) return move
      const outcome = play.outcomes[line.outcome]
      return `${move} · ${play.lines.attack(seats[line.seat], seats[line.attacked], outcome)}`
    }
    case 'skip':
      return play.lines.skip(seats[line.seat])
    case 'flag':
      return play.lines.flag(seats[line.seat], line.space)
    case 'out':
      return play.lines.out(seats[line.seat], play.outReasons[line.reason])
    case 'offer':
      return play.lines.offer(seats[line.seat])
    case 'answer':
      return line.accept
        ? play.lines.answerYes(seats[line.seat])
        : play.lines.answerNo(seats[line.seat])
    case 'scout':
      return play.lines.scout(line.space)
    case 'flip':
      return play.lines.flip(
        seats[line.seat],
        line.space,
        play.piece(colours[line.colour], kinds[line.kind]),
      )
    case 'colours':
      return play.lines.colours(
        listOf(
          Object.entries(line.colours).map(
            ([seat, colour]) => `${isSeat(seat) ? seats[seat] : seat} ${colours[colour]}`,
          ),
        ),
      )
  }
}

/** All of the last event as sentences, with the names of the own pieces that fell. */
export function newsFor(
  { news }: Pick<Story, 'news'>,
  own: {
    readonly ruleSet: RuleSet
    readonly seat: Seat | null
    readonly formation: Formation | null
  },
  catalogue: Catalogue,
): readonly string[] {
  const { ruleSet, seat, formation } = own
  return news.flatMap((line) => {
    const sentence = sentenceFor(line, catalogue)
    if (line.type !== 'move' || seat === null || formation === null) return [sentence]
    const fallen = ownKinds(ruleSet, { seat, formation }, line.fallen)
    return [sentence, ...fallen.map((kind) => catalogue.play.lines.fell(catalogue.kinds[kind]))]
  })
}

/** The last move with its outcome, good or bad for the side of `viewer`. */
export function lastShown(
  last: LastMove | null,
  friends: readonly Seat[],
  { play }: Catalogue,
): LastShown | null {
  if (last === null) return null
  const { way, to, outcome, seat } = last
  const isOurs = friends.includes(seat)
  const wins = outcome === 'attackerWins' ? isOurs : !isOurs
  const isEven = outcome === null || outcome === 'bothRemoved' || outcome === 'repelled'
  return {
    way,
    to,
    badge: outcome === null ? null : play.outcomes[outcome],
    tone: isEven ? 'even' : wins ? 'good' : 'bad',
  }
}
