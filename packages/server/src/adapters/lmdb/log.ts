import {
  type CommandId,
  LogDamagedError,
  type PlayerId,
  type RoomId,
  type StoredEntry,
} from '../../ports.ts'
import type { Reader } from './batch.ts'
import { decodeEntry, type EntryHeader, entryData, type Head, KEYS } from './codec.ts'

export interface Command {
  readonly player: PlayerId
  readonly id: CommandId
}

/** With the sequence of the entry that it made. */
export interface PlacedCommand extends Command {
  readonly sequence: number
}

/** The entries of a log with their sequences, the newest first. */
export function* backwards(
  reader: Reader,
  head: Head | null,
): Generator<{ readonly sequence: number; readonly header: EntryHeader; readonly text: string }> {
  let sequence = head?.last ?? 0
  while (sequence !== 0) {
    const text = reader.get(KEYS.entry(sequence))
    if (text === undefined) throw new LogDamagedError(`Entry ${sequence} is missing`)
    const header = headerOf(text)
    yield { sequence, header, text }
    sequence = header.previous
  }
}

function headerOf(text: string): EntryHeader {
  try {
    return decodeEntry(text)
  } catch (cause) {
    throw new LogDamagedError('An entry has no header', { cause })
  }
}

export function readAfter(reader: Reader, head: Head | null, after: number): StoredEntry[] {
  const entries: StoredEntry[] = []
  for (const { header, text } of backwards(reader, head)) {
    if (header.version <= after) break
    entries.push({ version: header.version, data: entryData(text) })
  }
  return entries.reverse()
}

/** The entry under a sequence; null: there is none any more. */
export function entryAt(
  reader: Reader,
  sequence: number,
): { readonly header: EntryHeader; readonly stored: StoredEntry } | null {
  const text = reader.get(KEYS.entry(sequence))
  if (text === undefined) return null
  const header = headerOf(text)
  return { header, stored: { version: header.version, data: entryData(text) } }
}

export const isBy = (header: EntryHeader, room: RoomId, { player, id }: Command): boolean =>
  header.room === room && header.command?.player === player && header.command.id === id

/** Every command of a log, the oldest first. */
export function commandsOf(reader: Reader, head: Head | null): PlacedCommand[] {
  const commands: PlacedCommand[] = []
  for (const { header, sequence } of backwards(reader, head)) {
    if (header.command !== null) commands.push({ ...header.command, sequence })
  }
  return commands.reverse()
}
