/**
 * What all peers of the bench agree on: a room begins with its pieces, `[space, seat, kind]`; a move names its spaces and
 * what stands at the second one afterwards (`mover`, `other` or `none`). Peers check no rule: the load plays legal games.
 */

/** Applies a move to an object of pieces by space. */
export function applyMove(pieces, { from, to, left }) {
  const mover = pieces[from]
  delete pieces[from]
  if (left === 'mover') pieces[to] = mover
  else if (left === 'none') delete pieces[to]
}

/** The pieces as one seat may see them: of others' no kind. */
export const seenBy = (seat, pieces) =>
  Object.fromEntries(
    Object.entries(pieces).map(([space, piece]) => [
      space,
      piece.seat === seat ? piece : { seat: piece.seat },
    ]),
  )

export const piecesOf = (list) =>
  Object.fromEntries(list.map(([space, seat, kind]) => [space, { seat, kind }]))

/** No ping falls into a measurement. */
export const QUIET_MS = 3_600_000
