import { LIMITS } from '@junqi/protocol'
import {
  CHAT_KEPT,
  type ChatStream,
  type CommandId,
  type PlayerId,
  type StoredChat,
} from '../../ports.ts'

/** What is said in one room. */
export class RoomChat {
  readonly silenced = new Set<PlayerId>()
  readonly #streams = new Map<string, { part: number; number: number; kept: StoredChat[] }>()
  readonly #accepted = new Map<PlayerId, Map<CommandId, number>>()

  add(
    { name, part }: ChatStream,
    { player, id, data }: { player: PlayerId; id: CommandId; data: string },
  ): number | null {
    const accepted = this.#accepted.get(player) ?? new Map<CommandId, number>()
    const first = accepted.get(id)
    if (first !== undefined) return first
    const known = this.#streams.get(name) ?? { part, number: 0, kept: [] }
    if (part < known.part) return null
    const stream = part > known.part ? { part, number: 0, kept: [] } : known
    stream.number += 1
    stream.kept = [...stream.kept, { number: stream.number, data }].slice(-CHAT_KEPT)
    this.#streams.set(name, stream)
    accepted.set(id, stream.number)
    const [oldest] = accepted.keys()
    if (accepted.size > LIMITS.rememberedCommands && oldest !== undefined) accepted.delete(oldest)
    this.#accepted.set(player, accepted)
    return stream.number
  }

  isAccepted(player: PlayerId, id: CommandId): boolean {
    return this.#accepted.get(player)?.has(id) ?? false
  }

  read({ name, part }: ChatStream, after: number): readonly StoredChat[] {
    const stream = this.#streams.get(name)
    return stream?.part === part ? stream.kept.filter(({ number }) => number > after) : []
  }
}
