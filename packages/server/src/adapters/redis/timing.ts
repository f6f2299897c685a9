/** Milliseconds. */
export interface Timing {
  /** Between two beats (heartbeat.ts). */
  readonly beat: number
  /** How far the node's clock runs on after an answer; then it waits for the next. */
  readonly leash: number
  /** The longest time between beats of any nodes that is not taken for an outage. */
  readonly gap: number
  /** Between two looks at what was touched (tail.ts), on average. */
  readonly look: number
  /** How long an answer is waited for, and a connection. */
  readonly answer: number
  /** After so long without a beat a node's players are taken for gone. */
  readonly presence: number
  /** Between two questions of who holds what in a cluster; besides it is asked when that shows to be known wrongly. */
  readonly refresh: number
  /** How long a store that is opened may take to connect. */
  readonly open: number
  /** The longest pause between attempts to connect. */
  readonly reconnect: number
}

export const TIMING: Timing = {
  beat: 500,
  leash: 1_000,
  gap: 2_500,
  look: 1_000,
  answer: 2_000,
  presence: 5_000,
  refresh: 5_000,
  open: 5_000,
  reconnect: 500,
}
