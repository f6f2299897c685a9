import { type Player, player } from '@junqi/protocol'
import { z } from 'zod'
import type { PlayerId, PlayerRecord } from '../ports.ts'

const account = player.omit({ id: true })
const storedPlayer = account.extend({ tokenHash: z.string(), createdAt: z.number() })

/** A player's account as JSON text, without the id: that is the key. */
export function encodePlayer({ name, bot, tokenHash, createdAt }: PlayerRecord): string {
  return JSON.stringify({ name, bot, tokenHash, createdAt })
}

export function decodePlayer(id: PlayerId, text: string): PlayerRecord {
  return { id, ...storedPlayer.parse(JSON.parse(text)) }
}

/** What the list of bots holds of one, without the id. */
export const encodeBot = ({ name, bot }: PlayerRecord): string => JSON.stringify({ name, bot })

export const decodeBot = (id: PlayerId, text: string): Player => ({
  id,
  ...account.parse(JSON.parse(text)),
})
