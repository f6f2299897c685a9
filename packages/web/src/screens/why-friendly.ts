import { isScored, PRESETS, type PresetName, type RuleSet } from '@junqi/engine'
import type { RoomView } from '@junqi/protocol'
import type { Catalogue } from '../i18n/zh.ts'

/** Why a game changes no score: by its rules, by who plays, or (`none`) because that was wished. */
export type WhyFriendly = keyof Catalogue['rules']['friendly']

interface Setting {
  readonly rules: { readonly preset: PresetName; readonly ruleSet: RuleSet }
  /** Who sits there now. */
  readonly seats: Partial<RoomView['seats']>
}

/** R-SCORE-5, R-SCORE-7; null: the game is scored. */
export function whyFriendly({ rules: { preset, ruleSet }, seats }: Setting): WhyFriendly | null {
  const { scoring } = PRESETS[preset]
  // Who only wished for no score has not changed how the game is played.
  if (!isScored({ preset, ruleSet: { ...ruleSet, scoring }, hasBot: false })) return 'rules'
  if (Object.values(seats).some((occupant) => occupant?.player.bot !== undefined)) return 'bot'
  return ruleSet.scoring === scoring ? null : 'none'
}
