import type { Player } from '@junqi/protocol'
import type { JSX } from 'preact'
import { formatRoute } from '../app/route.ts'
import { words } from '../i18n/i18n.ts'

/** What a player is called: a person by name, a bot by what it is. */
export const nameOf = ({ name, bot }: Player): string =>
  bot === undefined ? name : words.value.table.botLevels[bot]

/** What a player is called, with a mark at what is a bot, which no name can imitate. */
export function MarkedName({ player }: { readonly player: Player }): JSX.Element {
  return (
    <>
      {nameOf(player)}
      <BotMark player={player} />
    </>
  )
}

function BotMark({ player: { bot } }: { readonly player: Player }) {
  return bot === undefined ? null : <span class="tag bot">{words.value.table.bot}</span>
}

interface Props {
  readonly player: Player
  /** Leaves what is looked at where it is: nobody goes from a table by a slip. */
  readonly isAside?: boolean
}

/** A player's name, which leads to its page, with the mark of a bot. */
export function PlayerName({ player, isAside = false }: Props): JSX.Element {
  const aside = isAside ? { target: '_blank', rel: 'noopener' } : {}
  return (
    <>
      <a class="player-name" href={formatRoute({ screen: 'player', id: player.id })} {...aside}>
        {nameOf(player)}
      </a>
      <BotMark player={player} />
    </>
  )
}
