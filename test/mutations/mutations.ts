import type { Mutation } from './mutation.ts'
import { ARCHIVED } from './planted/archive.ts'
import { CLOCKS } from './planted/clocks.ts'
import { FLIPPED } from './planted/flip.ts'
import { HIDDEN } from './planted/hidden.ts'
import { PAGED } from './planted/page.ts'
import { REPLIES } from './planted/replies.ts'
import { SCORED } from './planted/scores.ts'
import { SEALED } from './planted/seal.ts'
import { SEATS } from './planted/seats.ts'
import { SOCKETS } from './planted/sockets.ts'
import { STOPS } from './planted/stops.ts'
import { STORE } from './planted/store.ts'

/** For each row of docs/faults.md that this version answers for: its kind of fault, in the faces that it may have; and what the page may do wrong. */
export const MUTATIONS: readonly Mutation[] = [
  ...HIDDEN,
  ...REPLIES,
  ...SEATS,
  ...CLOCKS,
  ...STORE,
  ...SOCKETS,
  ...STOPS,
  ...ARCHIVED,
  ...SCORED,
  ...FLIPPED,
  ...SEALED,
  ...PAGED,
]
