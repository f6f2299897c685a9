import { scoresOf } from '@junqi/client'
import type { Title } from '@junqi/engine'
import type { PlayerId } from '@junqi/protocol'
import { signal } from '@preact/signals'
import { httpAccess } from './session.ts'

/** The titles of players, as far as they are known. */
export const titles = signal<ReadonlyMap<PlayerId, Title>>(new Map())

/** Asks for the title of a player, to be known soon. What cannot be told now is shown as nothing. */
export async function lookUpTitle(id: PlayerId): Promise<void> {
  const page = await scoresOf(httpAccess()).player(id)
  if (page.ok) titles.value = new Map([...titles.value, [id, page.value.title]])
}
