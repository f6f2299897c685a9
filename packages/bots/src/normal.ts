import type { Brain, BrainOptions } from './brain.ts'
import { weighingBrain } from './weigh.ts'

/** In the flip game it sees the answer to its move. */
const FLIP_FORESIGHT = { depth: 1, nodes: 10_000 }

/** Plays by expected value, from how likely each hidden piece is of each kind. */
export const normalBrain = ({ random }: BrainOptions): Brain =>
  weighingBrain(random, FLIP_FORESIGHT, (candidates) => candidates)
