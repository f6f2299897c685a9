import type { QuickPlayHandle, QuickPlayStatus } from '@junqi/client'
import { computed, signal } from '@preact/signals'
import { go } from '../app/location.ts'

/** How the player's wish for quick play stands; null: not told yet. */
export const quickPlay = signal<QuickPlayStatus | null>(null)

export const isWaiting = computed(() => {
  const state = quickPlay.value?.state
  return state === 'waiting' || state === 'inviting'
})

/** Asks how it stands, and goes to the table when there is one, wherever in the page the player is by then. */
export function followQuickPlay(handle: QuickPlayHandle): void {
  handle.onChange((now) => {
    // What was matched before the page was loaded leads nowhere: the player went elsewhere since.
    const isNews = quickPlay.value !== null
    quickPlay.value = now
    if (!isNews || now.state !== 'matched' || now.room === null) return
    go({ screen: 'table', room: now.room, invitation: null })
  })
  handle.ask()
}
