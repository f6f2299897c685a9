import type { GameResult } from '@junqi/engine'

/** A result as records write it; `null`: there is none. */
export const formatResult = (result: GameResult | null): string =>
  JSON.stringify(result && { winners: result.winners, reason: result.reason })
