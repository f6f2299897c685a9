import { type Finding, firstToldOtherwise, verifyGame } from '@junqi/client'
import type { GameRecord, PerSealed, PublicEvent } from '@junqi/engine'

/** What this browser was told of a game while it ran. */
export interface Told {
  /** null: it was not there at the start. */
  readonly commitments: PerSealed | null
  /** null: it did not look on. */
  readonly history: readonly PublicEvent[] | null
}

/** Whether the game shown is the game that was played (R-SEAL-3). */
export type SealVerdict =
  /** It is what was sealed, as this browser was told at the start. */
  | { readonly type: 'kept' }
  /** It agrees with the seal that it brings along itself. */
  | { readonly type: 'agrees' }
  /** Nothing was ever sealed. */
  | { readonly type: 'unsealed' }
  | {
      readonly type: 'broken'
      /** What does not hold. */
      readonly findings: readonly Finding[]
      /** The first action of which something else was told; null: none. */
      readonly toldOtherwise: number | null
    }

export function sealVerdict(record: GameRecord, { commitments, history }: Told): SealVerdict {
  const isUnsealed = commitments === null && record.seal === undefined
  const findings = verifyGame(record, commitments).findings.filter(
    ({ flaw }) => flaw !== null && !(isUnsealed && flaw.code === 'notSealed'),
  )
  const toldOtherwise = history === null ? null : firstToldOtherwise(record, history)
  if (findings.length > 0 || toldOtherwise !== null) {
    return { type: 'broken', findings, toldOtherwise }
  }
  if (isUnsealed) return { type: 'unsealed' }
  return { type: commitments === null ? 'agrees' : 'kept' }
}
