import { err, ok, type Result } from '@junqi/engine'
import type { Player } from '@junqi/protocol'
import type { Door } from './door.ts'
import { type Refusal, refusal } from './refusal.ts'
import type { Asked } from './routes.ts'

/** Who asks; a refusal for whoever came without a token. */
export async function requirePlayer(
  door: Door,
  { request, visitor }: Pick<Asked, 'request' | 'visitor'>,
): Promise<Result<Player, Refusal>> {
  const player = await door.identify(request, visitor)
  if (!player.ok) return player
  return player.value === null ? err(refusal('unauthorized')) : ok(player.value)
}
