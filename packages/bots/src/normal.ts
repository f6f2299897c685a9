import type { Brain, BrainOptions } from './brain.ts'
import { weighingBrain } from './weigh.ts'

/** Plays by expected value, from how likely each hidden piece is of each kind. */
export const normalBrain = ({ random }: BrainOptions): Brain =>
  weighingBrain(random, (candidates) => candidates)
