import {
  type AttackOutcome,
  boardOf,
  type Colour,
  type EliminationReason,
  isFlipGame,
  type PerSeat,
  type PieceId,
  type PieceKind,
  type PublicEvent,
  type RuleSet,
  type Seat,
  type SpaceId,
} from '@junqi/engine'
import { wayOf } from './way.ts'

/** One thing that happened in a game, with whose it was. */
export type StoryLine =
  | {
      readonly type: 'move'
      readonly seat: Seat
      readonly from: SpaceId
      readonly to: SpaceId
      /** null: nothing was attacked. */
      readonly outcome: AttackOutcome | null
      /** Whose piece was attacked. */
      readonly attacked: Seat | null
      /** Which pieces the attack removed. */
      readonly fallen: readonly PieceId[]
    }
  | { readonly type: 'skip'; readonly seat: Seat }
  | { readonly type: 'flag'; readonly seat: Seat; readonly space: SpaceId }
  | { readonly type: 'out'; readonly seat: Seat; readonly reason: EliminationReason }
  | { readonly type: 'offer'; readonly seat: Seat }
  | { readonly type: 'answer'; readonly seat: Seat; readonly accept: boolean }
  | { readonly type: 'scout'; readonly space: SpaceId }
  | {
      readonly type: 'flip'
      readonly seat: Seat
      readonly space: SpaceId
      readonly colour: Colour
      readonly kind: PieceKind
    }
  | { readonly type: 'colours'; readonly colours: PerSeat<Colour> }

/** What follows from the public events of a game, and so is everyone's to know. */
export interface Story {
  readonly lines: readonly StoryLine[]
  /** The last thing that someone did, with all that came of it. */
  readonly news: readonly StoryLine[]
  /** Pieces that have left their first space. */
  readonly moved: ReadonlySet<PieceId>
  /** How many pieces each seat lost in attacks. */
  readonly lost: Readonly<Record<Seat, number>>
  /** The last move or flip; null: none yet. */
  readonly lastMove: LastMove | null
}

export interface LastMove {
  readonly seat: Seat
  readonly to: SpaceId
  /** What it is drawn along; of a flip its one space. */
  readonly way: readonly SpaceId[]
  readonly outcome: AttackOutcome | null
}

/** Reads a game's public history from its start. */
export function tellStory(ruleSet: RuleSet, first: Seat, history: readonly PublicEvent[]): Story {
  const teller = new Teller(ruleSet, first)
  const last = history.findLastIndex(isTurn)
  for (const [i, event] of history.entries()) teller.hear(event, { isLast: i === last })
  return teller
}

/** What stands on a space: whose it is follows from its place, but not in a flip game. */
interface Standing {
  readonly id: PieceId
  readonly seat: Seat | null
}

type Move = Extract<StoryLine, { readonly type: 'move' }>
type MoveEvent = Extract<PublicEvent, { readonly type: 'pieceMoved' | 'pieceAttacked' }>

const isTurn = ({ type }: PublicEvent): boolean =>
  type === 'pieceMoved' || type === 'pieceAttacked' || type === 'pieceFlipped'

/** Whether a line tells what came of the one before it, rather than what somebody did next. */
function isConsequence(line: StoryLine): boolean {
  if (line.type === 'out') return line.reason !== 'resigned' && line.reason !== 'left'
  return line.type === 'flag' || line.type === 'scout' || line.type === 'colours'
}

/** Follows a game event by event. */
class Teller implements Story {
  readonly lines: StoryLine[] = []
  readonly moved = new Set<PieceId>()
  readonly lost: Record<Seat, number> = { south: 0, east: 0, north: 0, west: 0 }
  lastMove: LastMove | null = null
  readonly #ruleSet: RuleSet
  readonly #standing: Map<SpaceId, Standing>
  /** Of a flip game, where no piece tells it: the seat to move. */
  #turn: Seat

  constructor(ruleSet: RuleSet, first: Seat) {
    this.#ruleSet = ruleSet
    this.#standing = startingPieces(ruleSet)
    this.#turn = first
  }

  hear(event: PublicEvent, { isLast }: { readonly isLast: boolean }): void {
    if (event.type === 'pieceMoved' || event.type === 'pieceAttacked') {
      this.#hearMove(event, isLast)
    } else {
      const line = this.#lineFor(event)
      if (line !== null) this.lines.push(line)
      if (event.type === 'seatEliminated') this.#remove(event.seat)
      if (event.type === 'pieceFlipped' && isLast) {
        this.lastMove = { seat: this.#turn, to: event.space, way: [event.space], outcome: null }
      }
    }
    if (isTurn(event) || event.type === 'turnSkipped') this.#turn = this.#other(this.#turn)
  }

  #lineFor(event: Exclude<PublicEvent, MoveEvent>): StoryLine | null {
    switch (event.type) {
      case 'pieceFlipped': {
        const { space, colour, kind } = event
        return { type: 'flip', seat: this.#turn, space, colour, kind }
      }
      case 'coloursKnown':
        return { type: 'colours', colours: event.colours }
      case 'turnSkipped':
        return { type: 'skip', seat: event.seat }
      case 'flagRevealed':
        return { type: 'flag', seat: event.seat, space: event.space }
      case 'officerScouted':
        return { type: 'scout', space: event.space }
      case 'seatEliminated':
        return { type: 'out', seat: event.seat, reason: event.reason }
      case 'drawOffered':
        return { type: 'offer', seat: event.seat }
      case 'drawAnswered':
        return { type: 'answer', seat: event.seat, accept: event.accept }
      case 'drawLapsed':
        return null
    }
  }

  get news(): readonly StoryLine[] {
    const start = this.lines.findLastIndex((line) => !isConsequence(line))
    return this.lines.slice(Math.max(0, start))
  }

  /** R-OUT-2. */
  #remove(seat: Seat): void {
    for (const [space, standing] of this.#standing) {
      if (standing.seat === seat) this.#standing.delete(space)
    }
  }

  #hearMove(event: MoveEvent, isLast: boolean): void {
    const line = this.#lineOf(event)
    if (isLast) {
      const way = wayOf(this.#ruleSet, (space) => this.#standing.has(space), line)
      this.lastMove = { seat: line.seat, to: line.to, way, outcome: line.outcome }
    }
    this.lines.push(line)
    this.#play(line)
  }

  #lineOf({ from, to, ...event }: MoveEvent): Move {
    const seat = this.#standing.get(from)?.seat ?? this.#turn
    const outcome = 'outcome' in event ? event.outcome : null
    const attacked = outcome === null ? null : (this.#standing.get(to)?.seat ?? this.#other(seat))
    const fallen = this.#fallen({ from, to, outcome })
    return { type: 'move', seat, from, to, outcome, attacked, fallen }
  }

  #fallen({ from, to, outcome }: Pick<Move, 'from' | 'to' | 'outcome'>): readonly PieceId[] {
    if (outcome === null || outcome === 'repelled') return []
    const attacker = outcome === 'attackerWins' ? [] : [this.#standing.get(from)]
    const defender = outcome === 'defenderWins' ? [] : [this.#standing.get(to)]
    return [...attacker, ...defender].flatMap((standing) => standing?.id ?? [])
  }

  #play({ from, to, seat, outcome, attacked }: Move): void {
    const mover = this.#standing.get(from)
    if (mover === undefined || outcome === 'repelled') return
    this.moved.add(mover.id)
    this.#standing.delete(from)
    if (outcome === 'defenderWins' || outcome === 'bothRemoved') this.lost[seat]++
    if (attacked !== null && outcome !== 'defenderWins') {
      this.lost[attacked]++
      this.#standing.delete(to)
    }
    if (outcome === null || outcome === 'attackerWins') this.#standing.set(to, mover)
  }

  /** A flip game has two seats, and ends when one is out. */
  #other(seat: Seat): Seat {
    return this.#ruleSet.seats.find((other) => other !== seat) ?? seat
  }
}

function startingPieces(ruleSet: RuleSet): Map<SpaceId, Standing> {
  const { homes, spaces } = boardOf(ruleSet)
  const isFlip = isFlipGame(ruleSet)
  return new Map(
    ruleSet.seats.flatMap((seat) =>
      (homes[seat] ?? []).map((index): [SpaceId, Standing] => {
        const space = spaces[index] ?? ''
        return [space, isFlip ? { id: `@${space}`, seat: null } : { id: `${seat}:${space}`, seat }]
      }),
    ),
  )
}
