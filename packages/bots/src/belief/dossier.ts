import type { Seat } from '@junqi/engine'
import type { KindSet } from '../kinds.ts'

/** What is known of one piece that took the field, on the board or fallen. */
export interface Dossier {
  readonly seat: Seat
  /** Its place in its owner's formation. */
  readonly place: number
  /** Where it stands, by index; -1: it is gone. */
  space: number
  /** The kinds that it may be. The truth is always among them. */
  possible: KindSet
  moves: number
  /** Attacks that it began on pieces that its owner did not know. */
  attacks: number
  /** Attacks that it stood through unmoved. */
  stands: number
}
