/** Whoever measures the rooms' work. Nothing that it is told depends on what is hidden on a board (F-H10). */
export interface RoomObserver {
  /** An entry goes to the store; the function returned says that its answer is there, or was given up. */
  appending(): () => void
  /** A player's command is taken up; the function returned says that it is answered. */
  commanded(): () => void
  /** What was due in a room was done, so many milliseconds of service time late. */
  swept(lagMs: number): void
  /** Another node wrote first: decided again. */
  conflicted(): void
  /** The store had lost what this node knew, and viewers were brought back (F-C4). */
  resynced(): void
  /** The store did not answer a room. */
  unanswered(): void
  /** The end of a game was taken by a consumer of the outbox, or could not be (outbox/). */
  handedOn(consumer: string): void
  notHandedOn(consumer: string): void
  /** So many ends stand in the outbox, as far as it was looked at. */
  endsWaiting(count: number): void
}

const nothing = (): void => {}

/** Measures nothing. */
export const UNOBSERVED: RoomObserver = {
  appending: () => nothing,
  commanded: () => nothing,
  swept: nothing,
  conflicted: nothing,
  resynced: nothing,
  unanswered: nothing,
  handedOn: nothing,
  notHandedOn: nothing,
  endsWaiting: nothing,
}
