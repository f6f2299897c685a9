import type { PresetName } from '@junqi/engine'
import type { PlayerId } from '@junqi/protocol'
import type { ScoreStore } from '../ports.ts'
import { ratingOf } from '../scores/rating.ts'
import { skillIn } from '../scores/tally.ts'

/** Windows are said in this part of openskill's `mu` (matching.ts). */
const PARTS = 40

/** How strong a player is by now in games of a preset. */
export async function strengthOf(
  store: Pick<ScoreStore, 'tally'>,
  player: PlayerId,
  preset: PresetName,
): Promise<number> {
  return PARTS * ratingOf(skillIn(await store.tally(player), preset)).mu
}
