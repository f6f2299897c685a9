import {
  allyOf,
  boardOf,
  evolve,
  type GameEvent,
  type GameState,
  type Piece,
  type PieceId,
  type Viewer,
} from '@junqi/engine'
import type { Script } from './script.ts'

/** A game just before and just after one of its events. */
export interface Step {
  readonly event: GameEvent
  readonly before: GameState
  readonly after: GameState
}

export function* stepsOf(script: Script): Generator<Step> {
  for (const act of script.acts) {
    let before = act.before
    for (const event of act.events) {
      const after = evolve(before, event)
      yield { event, before, after }
      before = after
    }
  }
}

export function pieceOn({ ruleSet, pieces }: GameState, space: string): Piece | null {
  const index = boardOf(ruleSet).indexOf.get(space)
  return index === undefined ? null : (pieces[index] ?? null)
}

export const onBoard = ({ pieces }: GameState): Piece[] => pieces.filter((piece) => piece !== null)

/**
 * The pieces whose kinds a viewer knows or has known, by the words of R-SEE and R-OUT-6 alone: what
 * the engine's views show is under test here, so they are not asked.
 */
export function knownPieces(script: Script, viewer: Viewer): ReadonlySet<PieceId> {
  const { ruleSet } = script
  const start = script.acts[0]?.before
  const all = start === undefined ? [] : onBoard(start)
  const known = new Set<PieceId>()
  const learn = (pieces: readonly Piece[]) => {
    for (const { id } of pieces) known.add(id)
  }
  const ally = viewer === 'spectator' ? null : allyOf(ruleSet, viewer)
  learn(all.filter(({ seat }) => seat === viewer || ruleSet.visibility === 'allOpen'))
  if (ruleSet.visibility === 'allyOpen') learn(all.filter(({ seat }) => seat === ally))
  for (const { event, before } of stepsOf(script)) {
    if (
      event.type === 'flagRevealed' ||
      event.type === 'officerScouted' ||
      event.type === 'pieceFlipped'
    ) {
      learn([pieceOn(before, event.space)].filter((piece) => piece !== null))
    }
    if (event.type !== 'seatEliminated' || event.seat !== viewer) continue
    if (ruleSet.eliminatedView !== 'ally' || event.reason === 'left') continue
    learn(onBoard(before).filter(({ seat }) => seat === ally))
  }
  return known
}
