import { type GameStarted, mayKnowSalts, type RuleSet, SEALABLES } from '@junqi/engine'
import { type SealView, sealOf } from '@junqi/protocol'
import type { Rng } from '../ports.ts'
import type { Salts } from './room-command.ts'
import type { RoomEvent } from './room-event.ts'
import type { RoomState } from './room-state.ts'

const SALT_BYTES = 32

/** A salt of its own for all that a game may seal: from a formation's commitment alone nobody can tell it by trying (R-SEAL-2). */
export function drawSalts(rng: Pick<Rng, 'bytes'>): Salts {
  const salts = SEALABLES.map((name) => [name, Buffer.from(rng.bytes(SALT_BYTES)).toString('hex')])
  return Object.fromEntries(salts)
}

/** The start of play, and what seals it (R-SEAL-1). */
export const sealedStart = (
  ruleSet: RuleSet,
  started: GameStarted,
  salts: Salts,
): readonly RoomEvent[] => [started, { type: 'gameSealed', ...sealOf(ruleSet, started, salts) }]

/** A game's seal as anyone sees it; null: there is none (yet). */
export function viewSeal({ seal, game }: Pick<RoomState, 'seal' | 'game'>): SealView | null {
  if (seal === null || game === null) return null
  const { commitments, salts } = seal
  return { commitments, salts: mayKnowSalts(game) ? salts : null }
}
