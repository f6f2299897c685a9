import type { Seat } from '../seat.ts'

/** Who looks: a seat of the game (in or out), or anyone else, who gets the least there is (F-H1). A seat that left is a spectator. */
export type Viewer = Seat | 'spectator'
