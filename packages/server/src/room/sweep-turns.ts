import type { Rng } from '../ports.ts'

/** When one node of several, or the only one, looks for deadlines and serves them. Milliseconds of service time. */
export interface SweepTurns {
  /** Deadlines are looked at so long before they come. */
  readonly aheadMs: number
  /** Looks are at least so far apart. */
  readonly pauseMs: number
  /** And at most so far, drawn anew for each. */
  readonly withinMs: () => number
  /** How long after its deadline a room is served that is in this node's memory. */
  readonly graceMs: number
  /** The same for one that is not, drawn anew for each look. */
  readonly foreignGraceMs: () => number
}

/** Every deadline is this node's: it sees to each at its very time. */
export const ALONE: SweepTurns = {
  aheadMs: Number.MAX_SAFE_INTEGER,
  pauseMs: 0,
  withinMs: () => Number.MAX_SAFE_INTEGER,
  graceMs: 0,
  foreignGraceMs: () => 0,
}

/**
 * Every node sees to every room, for any of them may die. A move that another node received in time may still be on its way,
 * and is let through (F-T1); nodes that have a room in memory go first, and the others not all at once.
 */
export const amongOthers = ({ random }: Pick<Rng, 'random'>): SweepTurns => ({
  aheadMs: 1_000,
  pauseMs: 20,
  withinMs: () => 500 + Math.round(500 * random()),
  graceMs: 150,
  foreignGraceMs: () => 600 + Math.round(400 * random()),
})
