import type { RoomView } from '@junqi/protocol'

/** Where somebody is who is about to act. */
export interface Moment {
  readonly view: RoomView
  /** The server's time; null: not known yet. */
  readonly now: number | null
  readonly random: () => number
  /** It is to come to an end. */
  readonly isLastGame: boolean
}

/** How many milliseconds a player thinks before it acts. What it does it chooses afterwards. */
export type Pace = (moment: Moment) => number

export const atOnce: Pace = () => 0

/** Up to so long each time. */
export const thinking =
  (mostMs: number): Pace =>
  ({ random }) =>
    mostMs * random()

/** Now and then, but in the last game, a turn is used to its end, and its move is sent a little before or after: it races with the time-out (F-T1). */
export const lingering =
  (mostMs: number): Pace =>
  ({ view, now, random, isLastGame }) => {
    const thinks = mostMs * random()
    const { game, you, until } = view
    const isMine = game !== null && you.seat !== null && game.toMove === you.seat
    if (!isMine || isLastGame || until === null || now === null) return thinks
    if (random() >= LINGERS) return thinks
    return Math.max(thinks, until - now + RACE_MS * (random() * 2 - 1))
  }

const LINGERS = 0.3
/** How far from the end of a turn a move is sent that races with it. */
const RACE_MS = 120
