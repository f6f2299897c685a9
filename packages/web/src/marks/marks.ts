import { PIECE_KINDS, type PieceId, type PieceKind } from '@junqi/engine'
import { type Signal, signal } from '@preact/signals'
import { readSetting, writeSetting } from '../store/settings.ts'

/** What a player notes about a hidden piece, for its own eyes. */
export type Mark = PieceKind | 'notLandmine'

export type Marks = Readonly<Partial<Record<PieceId, Mark>>>

const isMark = (value: unknown): value is Mark =>
  value === 'notLandmine' || PIECE_KINDS.some((kind) => kind === value)

/** Reads what was written; what is no mark is left out. */
export function parseMarks(text: string | null): Marks {
  try {
    const read: unknown = JSON.parse(text ?? '{}')
    if (typeof read !== 'object' || read === null) return {}
    return Object.fromEntries(Object.entries(read).filter(([, mark]) => isMark(mark)))
  } catch {
    return {}
  }
}

/** The marks after one more; null takes the piece's mark away. */
export function withMark(marks: Marks, piece: PieceId, mark: Mark | null): Marks {
  const { [piece]: _, ...others } = marks
  return mark === null ? others : { ...others, [piece]: mark }
}

/** A player's marks in one game: kept in this browser and sent nowhere. */
export class MarkBook {
  readonly marks: Signal<Marks>
  readonly #room: string

  constructor(room: string) {
    this.#room = room
    this.marks = signal(parseMarks(readSetting(`marks:${room}`)))
  }

  set(piece: PieceId, mark: Mark | null): void {
    this.marks.value = withMark(this.marks.value, piece, mark)
    const isEmpty = Object.keys(this.marks.value).length === 0
    writeSetting(`marks:${this.#room}`, isEmpty ? null : JSON.stringify(this.marks.value))
  }
}
