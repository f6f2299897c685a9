import type { Rng } from '../ports.ts'

/** When one node of several, or the only one, looks into the outbox. Milliseconds of service time. */
export interface DrainTurns {
  /** From the end of a game that this node wrote to its look. */
  readonly soonMs: () => number
  /** Until the next look without such an end, drawn anew for each. */
  readonly withinMs: () => number
  /** How long an end that this node did not write is left to the node that did, drawn anew for each. */
  readonly foreignGraceMs: () => number
}

/** Longer than any server runs. */
export const NEVER = Number.MAX_SAFE_INTEGER

/** Nobody else writes an end, or sees to one. */
export const DRAIN_ALONE: DrainTurns = {
  soonMs: () => 0,
  withinMs: () => NEVER,
  foreignGraceMs: () => 0,
}

/** Every node sees to every end, for any of them may die; whoever wrote it goes first, and the others not all at once. */
export const drainAmongOthers = ({ random }: Pick<Rng, 'random'>): DrainTurns => ({
  soonMs: () => Math.round(50 * random()),
  withinMs: () => 1_000 + Math.round(1_000 * random()),
  foreignGraceMs: () => 1_000 + Math.round(2_000 * random()),
})
