import { type Games, gamesOf } from '@junqi/client'
import { type RoomId, roomId } from '@junqi/protocol'
import { linkTo } from '../app/location.ts'
import { httpAccess } from './session.ts'

/** Where a finished game is, and what a member gave away to open it where it is private. */
export interface GameAddress {
  readonly room: string
  readonly share: string | null
}

/** Finished games, as they are told to who has this share. */
export const gamesWith = (share: string | null): Games =>
  gamesOf({ ...httpAccess(), ...(share !== null && { share }) })

/** A room by what an address says; null: it can be none. */
export function parseRoom(room: string): RoomId | null {
  const parsed = roomId.safeParse(room)
  return parsed.success ? parsed.data : null
}

/** A link to the replay, for whoever it is passed on to. Who came by a link passes on the same. */
export async function replayLink({ room, share }: GameAddress): Promise<string> {
  const id = parseRoom(room)
  if (share !== null || id === null) return linkTo({ screen: 'replay', room, share })
  const given = await gamesWith(null).share(id)
  // To a public game the address alone is the way, whoever passes it on.
  return linkTo({ screen: 'replay', room, share: given.ok ? given.value.share : null })
}
