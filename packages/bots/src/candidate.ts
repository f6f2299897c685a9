import type { Move } from '@junqi/engine'

/** A move and what it is worth, in the measure of `VALUES`: only differences count. */
export interface Candidate {
  readonly move: Move
  readonly score: number
}
