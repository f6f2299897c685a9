import type { PerSealed } from '@junqi/engine'
import { commitments, roomId } from '@junqi/protocol'
import { readSetting, writeSetting } from './settings.ts'

/** What was told at the start of games, by their rooms, the oldest first. */
export type ToldSeals = readonly (readonly [string, PerSealed])[]

/** Games whose seals are remembered. */
const MOST_KEPT = 100

/** Reads what was written; what is no seal is left out. */
export function parseSeals(text: string | null): ToldSeals {
  try {
    const read: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(read) ? read.flatMap(parseEntry) : []
  } catch {
    return []
  }
}

function parseEntry(entry: unknown): ToldSeals {
  if (!Array.isArray(entry)) return []
  const [room, seal] = [roomId.safeParse(entry[0]), commitments.safeParse(entry[1])]
  return room.success && seal.success ? [[room.data, seal.data]] : []
}

/** With one more. What was told first stays: a server that tells something else later is found out. */
export function withSeal(seals: ToldSeals, room: string, told: PerSealed): ToldSeals {
  if (sealIn(seals, room) !== null) return seals
  return [...seals, [room, told] as const].slice(-MOST_KEPT)
}

/** null: nothing was told of that game, as far as it is remembered. */
export const sealIn = (seals: ToldSeals, room: string): PerSealed | null =>
  seals.find(([known]) => known === room)?.[1] ?? null

/** Remembers in this browser what it is told while a game runs (R-SEAL-3). */
export function keepSeal(room: string, told: PerSealed): void {
  const seals = parseSeals(readSetting('seals'))
  const more = withSeal(seals, room, told)
  if (more !== seals) writeSetting('seals', JSON.stringify(more))
}

/** What this browser was told at the start of the game; null: it was not there. */
export const toldSeal = (room: string): PerSealed | null =>
  sealIn(parseSeals(readSetting('seals')), room)
