import {
  boardOf,
  err,
  type GameRecord,
  type GameState,
  ok,
  type Piece,
  type PieceView,
  type PublicEvent,
  parseRecord,
  playRecord,
  type Result,
  type RuleSet,
  readJgs,
  type SpaceId,
  startOf,
  type Viewer,
  viewGame,
} from '@junqi/engine'

/** A game at every position, from its start. */
export interface Film {
  readonly ruleSet: RuleSet
  readonly states: readonly GameState[]
  /** What everyone was told before each of the states: of the first nothing. */
  readonly histories: readonly (readonly PublicEvent[])[]
}

/** Plays a record for the viewer; an illegal action ends it there. */
export function filmOf(record: GameRecord): Film {
  const states: GameState[] = []
  const histories: (readonly PublicEvent[])[] = []
  let history: readonly PublicEvent[] = []
  const playing = playRecord(record)
  for (let step = playing.next(); ; step = playing.next()) {
    states.push(step.done ? step.value : step.value.before)
    histories.push(history)
    if (step.done || step.value.applied === null) break
    history = [...history, ...step.value.applied.events.filter(isPublic)]
  }
  return { ruleSet: startOf(record).ruleSet, states, histories }
}

const isPublic = (event: { readonly type: string }): event is PublicEvent =>
  event.type !== 'gameStarted' && event.type !== 'gameEnded'

/** The pieces as a seat saw them, or as they were. */
export function piecesSeen(state: GameState, viewer: Viewer | 'truth'): readonly PieceView[] {
  if (viewer !== 'truth') return viewGame({ ...state, result: null }, viewer).pieces
  const { spaces } = boardOf(state.ruleSet)
  return state.pieces.flatMap((piece, index) =>
    piece === null ? [] : [asItIs(piece, spaces[index] ?? '')],
  )
}

const asItIs = ({ id, kind, colour }: Piece, space: SpaceId): PieceView =>
  colour === undefined ? { id, space, kind } : { id, space, kind, colour }

/** Reads a record file of either kind, or says what is wrong with it. */
export function readRecordFile(bytes: Uint8Array): Result<GameRecord, string> {
  if (bytes[0] === '{'.charCodeAt(0)) {
    const parsed = parseJson(new TextDecoder().decode(bytes))
    return parsed === null ? err('JSON') : parseRecord(parsed)
  }
  const read = readJgs(bytes)
  return read.ok ? ok(read.value) : err(read.error.message)
}

/** null: the text is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
