import { invariant } from './assert.ts'
import type { SpaceId } from './board/board.ts'
import type { GameEvent } from './event.ts'
import type { ColouredKind } from './layout.ts'
import type { FlipState, PublicState } from './state.ts'
import type { SeatEvent } from './view/seat-event.ts'

export const FRESH_FLIP: FlipState = {
  colours: null,
  first: null,
  latest: {},
  removed: { r: [], b: [] },
}

/** What a flip game was just before an event. */
interface Before extends Pick<PublicState, 'toMove'> {
  readonly flip: FlipState
  /** What lies face up there. */
  readonly faceUpOn: (space: SpaceId) => ColouredKind
}

/** What an event changes of what everyone knows of a flip game: the one place for states and views alike. */
export function evolveFlip({ flip, toMove, faceUpOn }: Before, event: Happening): FlipState {
  switch (event.type) {
    case 'pieceFlipped': {
      invariant(toMove !== null, 'a flip after the end')
      const { colour } = event
      const latest = { ...flip.latest, [toMove]: colour }
      return { ...flip, first: flip.first ?? { seat: toMove, colour }, latest }
    }
    case 'coloursKnown':
      return { ...flip, colours: event.colours }
    case 'pieceAttacked': {
      const { from, to, outcome } = event
      const isBoth = outcome === 'bothRemoved'
      const after = isBoth || outcome === 'defenderWins' ? without(flip, faceUpOn(from)) : flip
      return isBoth || outcome === 'attackerWins' ? without(after, faceUpOn(to)) : after
    }
    default:
      return flip
  }
}

/** As states or as viewers are told of it. */
type Happening = GameEvent | SeatEvent

const without = (flip: FlipState, { colour, kind }: ColouredKind): FlipState => ({
  ...flip,
  removed: { ...flip.removed, [colour]: [...flip.removed[colour], kind] },
})
