import {
  boardOf,
  err,
  type GameRecord,
  type GameState,
  isPublicEvent,
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
  /** What everyone was told, from the start to the end. */
  readonly history: readonly PublicEvent[]
  /** How much of it before each of the states: of the first nothing. */
  readonly told: readonly number[]
}

/** Plays a record for the viewer; an illegal action ends it there. */
export function filmOf(record: GameRecord): Film {
  const states: GameState[] = []
  const history: PublicEvent[] = []
  const told: number[] = []
  const playing = playRecord(record)
  for (let step = playing.next(); ; step = playing.next()) {
    states.push(step.done ? step.value : step.value.before)
    told.push(history.length)
    if (step.done || step.value.applied === null) break
    history.push(...step.value.applied.events.filter(isPublicEvent))
  }
  return { ruleSet: startOf(record).ruleSet, states, history, told }
}

/** What everyone was told before this state. */
export const historyAt = ({ history, told }: Film, state: number): readonly PublicEvent[] =>
  history.slice(0, told[state])

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

/** Why there is nothing to be seen of a file. */
export type FileProblem =
  | { readonly code: 'tooLarge' }
  /** Neither kind of record, or a broken one; `detail`: where and what, in English. */
  | { readonly code: 'unreadable'; readonly detail: string }

/** No game comes near it: one of ten thousand moves has a hundredth of that. */
const MOST_BYTES = 10_000_000

/** Reads a record file of either kind, or says what is wrong with it. */
export async function readRecordFile(
  file: Pick<Blob, 'size' | 'arrayBuffer'>,
): Promise<Result<GameRecord, FileProblem>> {
  if (file.size > MOST_BYTES) return err({ code: 'tooLarge' })
  try {
    const read = readRecord(new Uint8Array(await file.arrayBuffer()))
    return read.ok ? read : err({ code: 'unreadable', detail: read.error })
  } catch {
    // It is a folder, or was changed or taken away meanwhile.
    return err({ code: 'unreadable', detail: 'the file cannot be opened' })
  }
}

function readRecord(bytes: Uint8Array): Result<GameRecord, string> {
  // Without a mark of its order of bytes, which some editors write.
  const text = new TextDecoder().decode(bytes)
  if (text.trimStart().startsWith('{')) {
    const parsed = parseJson(text)
    return parsed === null ? err('the JSON is broken') : parseRecord(parsed)
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
