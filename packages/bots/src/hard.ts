import type { Brain, BrainOptions } from './brain.ts'
import { searched } from './search/choose.ts'
import { weighingBrain } from './weigh.ts'

/** Positions looked at for one move, unless told otherwise. */
const NODES = 30_000

/** Searches worlds that agree with all it has seen, within a budget of positions. */
export const hardBrain = ({ random, nodes = NODES }: BrainOptions): Brain =>
  weighingBrain(random, (candidates, mind, outlook) =>
    searched(candidates, { mind, outlook, random, nodes }),
  )
