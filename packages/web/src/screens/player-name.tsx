import type { Player } from '@junqi/protocol'
import { words } from '../i18n/i18n.ts'

/** What a player is called: a person by name, a bot by what it is. */
export const nameOf = ({ name, bot }: Player): string =>
  bot === undefined ? name : words.value.table.botLevels[bot]
