import type { PlayerId } from '../../ports.ts'

/**
 * What is published on a room's channel, and by which node:
 *   v VERSION MICROS NODE    an entry was appended; MICROS is its mark in `touched`
 *   g NODE                   the room was removed or marked as failed
 *   d PLAYER NODE            the player's draft was saved
 * and on the presence channel:
 *   NODE PLAYER PLAYER ...   their first connection to the node was made, or the last one has ended
 */
export type RoomHint =
  | { readonly type: 'changed'; readonly version: number; readonly mark: number }
  | { readonly type: 'gone' }
  | { readonly type: 'draft'; readonly player: PlayerId }

/** null: it is the node's own, or none that this version knows. */
export function parseRoomHint(text: string, node: string): RoomHint | null {
  const words = text.split(' ')
  if (words.at(-1) === node) return null
  switch (words[0]) {
    case 'v':
      return { type: 'changed', version: Number(words[1]), mark: Number(words[2]) }
    case 'g':
      return { type: 'gone' }
    case 'd':
      return { type: 'draft', player: words[1] as PlayerId }
    default:
      return null
  }
}

/** The players; none: it is the node's own. */
export function parsePresence(text: string, node: string): readonly PlayerId[] {
  const [sender, ...players] = text.split(' ')
  return sender === node ? [] : (players as PlayerId[])
}
