import { LIMITS } from '@junqi/protocol'
import {
  CHAT_KEPT,
  type ChatStream,
  type CommandId,
  type PlayerId,
  type RoomId,
  type StoredChat,
} from '../../ports.ts'
import type { Batch, Reader } from './batch.ts'
import { KEYS } from './codec.ts'

interface Line {
  readonly player: PlayerId
  readonly id: CommandId
  readonly data: string
}

/** ChatStore.addChat, in a room that is there. */
export function addChat(
  batch: Batch,
  room: RoomId,
  { name, part }: ChatStream,
  { player, id, data }: Line,
): number | null {
  const heard = acceptedOf(batch.get(KEYS.chatIds(room, player)))
  const first = heard.get(id)
  if (first !== undefined) return first
  const last = lastOf(batch, room, name)
  if (part < last.part) return null
  const isNew = part > last.part
  if (isNew) {
    for (let n = Math.max(1, last.number - CHAT_KEPT + 1); n <= last.number; n++)
      batch.remove(KEYS.chatLine(room, name, n))
  }
  const number = isNew ? 1 : last.number + 1
  batch.put(KEYS.chatLast(room, name), `${part} ${number}`)
  batch.put(KEYS.chatLine(room, name, number), data)
  if (number > CHAT_KEPT) batch.remove(KEYS.chatLine(room, name, number - CHAT_KEPT))
  const ids = [...heard, [id, number] as const].slice(-LIMITS.rememberedCommands)
  batch.put(KEYS.chatIds(room, player), ids.map((known) => known.join(':')).join(' '))
  return number
}

/** ChatStore.acceptedChat. */
export const hasChatId = (reader: Reader, room: RoomId, player: PlayerId, id: CommandId): boolean =>
  acceptedOf(reader.get(KEYS.chatIds(room, player))).has(id)

/** ChatStore.readChat, of one stream. */
export function readChat(
  reader: Reader,
  room: RoomId,
  { name, part, after }: ChatStream & { readonly after: number },
): readonly StoredChat[] {
  const last = lastOf(reader, room, name)
  const found: StoredChat[] = []
  if (last.part !== part) return found
  for (let n = Math.max(after, last.number - CHAT_KEPT) + 1; n <= last.number; n++) {
    const data = reader.get(KEYS.chatLine(room, name, n))
    if (data !== undefined) found.push({ number: n, data })
  }
  return found
}

/** A list of players as text, with one more or less; null: it has `limit` already. */
export function withPlayer(
  text: string | undefined,
  player: PlayerId,
  { isIn, limit }: { readonly isIn: boolean; readonly limit: number },
): readonly PlayerId[] | null {
  const others = playersOf(text).filter((other) => other !== player)
  if (!isIn) return others
  return others.length >= limit ? null : [...others, player]
}

export const playersOf = (text: string | undefined): readonly PlayerId[] =>
  text === undefined ? [] : (text.split(' ') as PlayerId[])

function lastOf(reader: Reader, room: RoomId, name: string): { part: number; number: number } {
  const [part, number] = (reader.get(KEYS.chatLast(room, name)) ?? '0 0').split(' ')
  return { part: Number(part), number: Number(number) }
}

function acceptedOf(text: string | undefined): ReadonlyMap<string, number> {
  const known = text === undefined ? [] : text.split(' ')
  return new Map(
    known.map((pair) => {
      const at = pair.indexOf(':')
      return [pair.slice(0, at), Number(pair.slice(at + 1))]
    }),
  )
}
