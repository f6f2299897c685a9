import type { Player } from '@junqi/protocol'
import type { JSX } from 'preact'
import { formatRoute } from '../app/route.ts'
import { words } from '../i18n/i18n.ts'

/** What a player is called: a person by name, a bot by what it is. */
export const nameOf = ({ name, bot }: Player): string =>
  bot === undefined ? name : words.value.table.botLevels[bot]

interface Props {
  readonly player: Player
  /** Leaves what is looked at where it is: nobody goes from a table by a slip. */
  readonly isAside?: boolean
}

/** A player's name, which leads to its page. */
export function PlayerName({ player, isAside = false }: Props): JSX.Element {
  const aside = isAside ? { target: '_blank', rel: 'noopener' } : {}
  return (
    <a class="player-name" href={formatRoute({ screen: 'player', id: player.id })} {...aside}>
      {nameOf(player)}
    </a>
  )
}
