import { z } from 'zod'
import type { PlayerId, PlayerRecord } from '../ports.ts'

const storedPlayer = z.strictObject({
  name: z.string(),
  tokenHash: z.string(),
  createdAt: z.number(),
})

/** A player's account as JSON text, without the id: that is the key. */
export function encodePlayer({ name, tokenHash, createdAt }: PlayerRecord): string {
  return JSON.stringify({ name, tokenHash, createdAt })
}

export function decodePlayer(id: PlayerId, text: string): PlayerRecord {
  return { id, ...storedPlayer.parse(JSON.parse(text)) }
}
