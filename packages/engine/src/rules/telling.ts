import { SEATS, type Seat } from '../seat.ts'
import { mayKnow, type Sight } from './visibility.ts'

/**
 * Whether a seat may talk to another while the game runs (R-CHAT-4). One that is out may be shown what it did not see while
 * it was in (R-OUT-6): then it talks to nobody who does not see the same.
 */
export const mayTell = (teller: Seat, listener: Seat, sight: Sight): boolean =>
  SEATS.every(
    (owner) => !isShownByBeingOut(teller, owner, sight) || seesPiecesOf(listener, owner, sight),
  )

function isShownByBeingOut(seat: Seat, owner: Seat, sight: Sight): boolean {
  const status = sight.seats[seat]
  if (status === null || status.out === null || sight.seats[owner] === null) return false
  const inPlay = { ...sight, seats: { ...sight.seats, [seat]: { ...status, out: null } } }
  return seesPiecesOf(seat, owner, sight) && !seesPiecesOf(seat, owner, inPlay)
}

const seesPiecesOf = (viewer: Seat, owner: Seat, sight: Sight): boolean =>
  mayKnow(viewer, { seat: owner, shown: false }, sight)
