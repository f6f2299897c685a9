import { LIMITS } from '@junqi/protocol'
import { type CommandId, LogDamagedError, type PlayerId, type StoredEntry } from '../../ports.ts'
import type { Reader } from './batch.ts'
import { decodeEntry, type EntryHeader, entryData, type Head, KEYS } from './codec.ts'

export interface Command {
  readonly player: PlayerId
  readonly id: CommandId
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

/** The version that a command made, if it is among the last 64 of its player. */
export function findCommand(reader: Reader, head: Head | null, command: Command): number | null {
  let seen = 0
  for (const { header } of backwards(reader, head)) {
    if (header.command?.player !== command.player) continue
    if (header.command.id === command.id) return header.version
    seen += 1
    if (seen === LIMITS.rememberedCommands) break
  }
  return null
}

/** Every command of a log, the oldest first. */
export function commandsOf(reader: Reader, head: Head | null): Command[] {
  const commands: Command[] = []
  for (const { header } of backwards(reader, head)) {
    if (header.command !== null) commands.push(header.command)
  }
  return commands.reverse()
}
