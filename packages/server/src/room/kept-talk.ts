import {
  type EncodedMessage,
  encodeServerMessage,
  type PlayerId,
  type RoomId,
} from '@junqi/protocol'
import { CHAT_KEPT, type ChatStore, type StoredChat } from '../ports.ts'
import { parseLine } from './chat-line.ts'
import type { HeardStream } from './chat-rules.ts'

/** A message as all who hear it are told it. */
export interface Told {
  readonly by: PlayerId
  readonly frame: EncodedMessage
}

/** A message that is kept of a stream. Parsed and encoded when it is first told, and never again. */
export class KeptLine {
  readonly number: number
  readonly #encode: () => Told
  #told: Told | null = null

  constructor(number: number, encode: () => Told) {
    this.number = number
    this.#encode = encode
  }

  get told(): Told {
    this.#told ??= this.#encode()
    return this.#told
  }
}

interface KeptStream {
  readonly part: number
  /** In order, as many as a store keeps. */
  readonly lines: readonly KeptLine[]
}

/** What is kept of a room's talk, in memory: of the store only what is new is read, however often somebody comes. */
export class KeptTalk {
  readonly #room: RoomId
  readonly #store: Pick<ChatStore, 'readChat'>
  #streams = new Map<string, KeptStream>()

  constructor(room: RoomId, store: Pick<ChatStore, 'readChat'>) {
    this.#room = room
    this.#store = store
  }

  /** Reads what is new. */
  async read(streams: readonly HeardStream[]): Promise<void> {
    const kept = this.#streams
    const wanted = streams.map(({ name, part }) => {
      const after = lastOf(this.linesOf({ name, part }))
      return { name, part, after }
    })
    const found = await this.#store.readChat(this.#room, wanted)
    for (const [n, stream] of streams.entries()) {
      const { name, part } = stream
      // Others may have read it meanwhile.
      const known = kept.get(name) ?? { part, lines: [] }
      if (known.part > part) continue
      const lines = known.part === part ? known.lines : []
      const added = (found[n] ?? []).filter(({ number }) => number > lastOf(lines))
      if (added.length === 0) continue
      const all = [...lines, ...added.map((line) => this.#lineOf(stream, line))]
      kept.set(name, { part, lines: all.slice(-CHAT_KEPT) })
    }
  }

  /** As far as it was read. */
  linesOf({ name, part }: Pick<HeardStream, 'name' | 'part'>): readonly KeptLine[] {
    const kept = this.#streams.get(name)
    return kept?.part === part ? kept.lines : []
  }

  /** The store may have something else in its place. */
  forget(): void {
    this.#streams = new Map()
  }

  #lineOf({ channel, part }: HeardStream, { number, data }: StoredChat): KeptLine {
    const room = this.#room
    return new KeptLine(number, () => {
      const { by, at, text, phrase } = parseLine(data)
      const said = { type: 'said', room, channel, part, number, by, at, text, phrase } as const
      return { by: by.id, frame: encodeServerMessage(said) }
    })
  }
}

/** 0: there is none. */
export const lastOf = (lines: readonly KeptLine[]): number => lines.at(-1)?.number ?? 0
