import type { DueRoom, LobbyEntry, RoomId, ServiceTime } from '../../ports.ts'
import { PriorityQueue } from '../priority-queue.ts'
import type { Batch, Committed } from './batch.ts'
import {
  decodeEnd,
  decodeEntry,
  decodeHead,
  encodeHead,
  type Head,
  isLive,
  KEYS,
  roomOfKey,
  sequenceOfKey,
} from './codec.ts'

/**
 * Where each live room stands, which rooms are due, and which are listed: kept in memory, derived
 * from the data file at the start (codec.ts tells how), changed by the batches that were committed.
 */
export class Standing {
  readonly #file: Committed
  readonly #window: number
  readonly #live = new Map<RoomId, Head>()
  readonly #failed = new Set<RoomId>()
  readonly #deadlines = new PriorityQueue<RoomId>()
  /** Listed rooms, the newest first. */
  readonly #listed = new PriorityQueue<RoomId>()
  /** Live rooms by the first entry that their L record does not know, the oldest first. */
  readonly #unsaved = new Map<RoomId, number>()
  #next = 1

  constructor(file: Committed, window: number) {
    this.#file = file
    this.#window = window
    for (const { key } of file.range('F')) this.#failed.add(roomOfKey(key))
    for (const { key, value } of file.range('L')) {
      const room = roomOfKey(key)
      this.#live.set(room, decodeHead(value, this.#line(room)))
    }
    this.#replay()
    for (const [room, head] of this.#live) this.#keep(room, head)
  }

  /** The sequence that the next entry gets. */
  get next(): number {
    return this.#next
  }

  head(room: RoomId): Head | null {
    return this.#live.get(room) ?? this.#archived(room)
  }

  isKept(room: RoomId): boolean {
    return this.#live.has(room)
  }

  isFailed(room: RoomId): boolean {
    return this.#failed.has(room)
  }

  due(now: ServiceTime, limit: number): readonly DueRoom[] {
    return this.#deadlines
      .upTo(now, limit)
      .map(({ key, priority }) => ({ room: key, deadline: priority }))
  }

  nextDeadline(): ServiceTime | null {
    return this.#deadlines.first()?.priority ?? null
  }

  lobby(limit: number): readonly { readonly room: RoomId; readonly entry: LobbyEntry }[] {
    return this.#listed.upTo(0, limit).flatMap(({ key: room }) => {
      const entry = this.#live.get(room)?.lobby ?? null
      return entry === null ? [] : [{ room, entry }]
    })
  }

  /** Renews the L records that would otherwise fall behind the window. */
  save(batch: Batch): void {
    const oldest = batch.next - this.#window
    for (const [room, since] of this.#unsaved) {
      if (since >= oldest) break
      const head = batch.heads.has(room) ? batch.heads.get(room) : this.#live.get(room)
      if (!head || !isLive(head)) continue
      batch.put(KEYS.live(room), encodeHead(head))
      batch.saved.add(room)
    }
  }

  /** Takes over what a committed batch changed. */
  adopt(batch: Batch): void {
    this.#next = batch.next
    for (const room of batch.saved) this.#unsaved.delete(room)
    for (const [room, isFailed] of batch.failures) {
      if (isFailed) this.#failed.add(room)
      else this.#failed.delete(room)
    }
    for (const [room, head] of batch.heads) {
      if (!batch.saved.has(room) && !this.#unsaved.has(room)) this.#unsaved.set(room, batch.start)
      this.#keep(room, head)
    }
  }

  #keep(room: RoomId, head: Head | null): void {
    if (head !== null && isLive(head)) {
      this.#live.set(room, head)
    } else {
      this.#live.delete(room)
      this.#unsaved.delete(room)
    }
    const shown = this.#failed.has(room) ? null : head
    if (shown === null || shown.deadline === null) this.#deadlines.delete(room)
    else this.#deadlines.set(room, shown.deadline)
    if (shown === null || shown.lobby === null) this.#listed.delete(room)
    else this.#listed.set(room, -shown.first)
  }

  /** Follows the entries that came since the L records were written. */
  #replay(): void {
    const last = this.#file.last('z')
    this.#next = Math.max(last === undefined ? 0 : sequenceOfKey(last), this.#lastEnd()) + 1
    const oldest = KEYS.entry(Math.max(this.#next - this.#window, 1))
    for (const { key, value } of this.#file.range(oldest)) {
      const sequence = sequenceOfKey(key)
      const { room, version, deadline } = decodeEntry(value)
      const head = this.#live.get(room)
      const isNext = head === undefined ? version === 1 : version > head.version
      if (!isNext) continue
      const first = head?.first ?? sequence
      this.#live.set(room, { version, last: sequence, first, deadline, lobby: this.#line(room) })
      if (!this.#unsaved.has(room)) this.#unsaved.set(room, sequence)
    }
  }

  /** Of the ends to be handed on: what comes later gets a higher sequence, also when their rooms are removed. */
  #lastEnd(): number {
    let last = 0
    for (const { value } of this.#file.range('O')) last = Math.max(last, decodeEnd(value).sequence)
    return last
  }

  #line(room: RoomId): LobbyEntry | null {
    return this.#file.get(KEYS.lobby(room)) ?? null
  }

  #archived(room: RoomId): Head | null {
    const text = this.#file.get(KEYS.archived(room))
    return text === undefined ? null : decodeHead(text, null)
  }
}
