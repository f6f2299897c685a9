import type { PlayerId, RoomId, ToldEntry } from '../../ports.ts'

/**
 * What is published on a room's channel, and by which NODE (12 hexadecimal digits):
 *   v VERSION MICROS NODE, \n, PREVIOUS, \n, ENTRY
 *                            an entry was appended after another one; MICROS is its mark in `touched`
 *   g NODE                   the room was removed or marked as failed
 *   d PLAYER NODE            the player's draft was saved
 *   o NODE                   the room's game was handed on
 *   c NODE                   something was said
 *   w NODE                   others look on than before
 * and on the presence channel:
 *   NODE PLAYER PLAYER ...   their first connection to the node was made, or the last one has ended
 *   NODE s PLAYER ROOM       the player was seated in the room
 *   NODE m PLAYER            the player hears others than before
 *   NODE l                   the list of rooms is another one
 */
export type RoomHint =
  | { readonly type: 'changed'; readonly mark: number; readonly told: ToldEntry }
  | { readonly type: 'gone' }
  | { readonly type: 'chat' }
  | { readonly type: 'onlookers' }
  | { readonly type: 'draft'; readonly player: PlayerId }
  | { readonly type: 'handedOn' }

const ROOM_HINT = /^(?:([gocw])|d ([0-9a-z]{12})) ([0-9a-f]{12})$/
const ENTRY_HINT = /^v (\d+) (\d+) ([0-9a-f]{12})\n(.*)\n(.+)$/
const PRESENCE = /^([0-9a-f]{12})((?: [0-9a-z]{12})+)$/

const SEATED = /^([0-9a-f]{12}) s ([0-9a-z]{12}) ([0-9a-z]{8})$/

/** null: it is the node's own, or none that this version knows. */
export function parseRoomHint(text: string, node: string): RoomHint | null {
  if (text.startsWith('v')) return parseEntryHint(text, node)
  const [, letter, player, sender] = ROOM_HINT.exec(text) ?? []
  if (sender === undefined || sender === node) return null
  if (letter === 'g') return { type: 'gone' }
  if (letter === 'c') return { type: 'chat' }
  if (letter === 'w') return { type: 'onlookers' }
  if (letter === 'o') return { type: 'handedOn' }
  return { type: 'draft', player: player as PlayerId }
}

function parseEntryHint(text: string, node: string): RoomHint | null {
  const [, version, mark, sender, previous, data] = ENTRY_HINT.exec(text) ?? []
  if (previous === undefined || data === undefined || sender === node) return null
  const told = { version: Number(version), previous, data }
  return { type: 'changed', mark: Number(mark), told }
}

export const formatHandedOn = (node: string): string => `o ${node}`

/** The players; none: it is the node's own, or nothing that this version knows. */
export function parsePresence(text: string, node: string): readonly PlayerId[] {
  const [, sender, players = ''] = PRESENCE.exec(text) ?? []
  return sender === undefined || sender === node
    ? []
    : (players.slice(1).split(' ') as readonly string[] as readonly PlayerId[])
}

export const formatSeated = (node: string, player: PlayerId, room: RoomId): string =>
  `${node} s ${player} ${room}`

/** null: it is the node's own, or nothing that this version knows. */
export function parseSeated(
  text: string,
  node: string,
): { readonly player: PlayerId; readonly room: RoomId } | null {
  const [, sender, player, room] = SEATED.exec(text) ?? []
  if (sender === undefined || sender === node) return null
  return { player: player as PlayerId, room: room as RoomId }
}

export const formatMuted = (node: string, player: PlayerId): string => `${node} m ${player}`

/** null: it is the node's own, or nothing that this version knows. */
export function parseMuted(text: string, node: string): PlayerId | null {
  const [, sender, player] = /^([0-9a-f]{12}) m ([0-9a-z]{12})$/.exec(text) ?? []
  return sender === undefined || sender === node ? null : (player as PlayerId)
}

export const formatLobbyHint = (node: string): string => `${node} l`

/** Whether another node says that the list of rooms is another one. */
export const isLobbyHint = (text: string, node: string): boolean =>
  /^[0-9a-f]{12} l$/.test(text) && text !== formatLobbyHint(node)
