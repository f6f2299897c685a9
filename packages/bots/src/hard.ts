import type { Brain, BrainOptions } from './brain.ts'
import { searched } from './search/choose.ts'
import { weighingBrain } from './weigh.ts'

/** Positions looked at for one move, unless told otherwise. */
const NODES = 30_000

/** Plies after its own move that it looks ahead in the flip game. */
const FLIP_DEPTH = 3

/** Searches worlds that agree with all it has seen, within a budget of positions. */
export const hardBrain = ({ random, nodes = NODES }: BrainOptions): Brain =>
  weighingBrain(random, { depth: FLIP_DEPTH, nodes }, (candidates, mind, outlook) =>
    searched(candidates, { mind, outlook, random, nodes }),
  )
