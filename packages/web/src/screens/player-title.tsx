import type { Player } from '@junqi/protocol'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { words } from '../i18n/i18n.ts'
import { lookUpTitle, titles } from '../store/titles.ts'

/** A player's title beside its name; nothing of a bot, whose games are not scored, and until it is known. */
export function PlayerTitle({ player }: { readonly player: Player }): JSX.Element | null {
  const { id, bot } = player
  const isPerson = bot === undefined
  useEffect(() => {
    if (isPerson) lookUpTitle(id)
  }, [id, isPerson])
  const title = titles.value.get(id)
  if (!isPerson || title === undefined) return null
  return (
    <span class="tag title" data-test="title">
      {words.value.titles[title]}
    </span>
  )
}
