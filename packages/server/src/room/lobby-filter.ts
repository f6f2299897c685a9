import type { ListedRoom, LobbyFilters } from '@junqi/protocol'

/** Whether a room is what somebody looks for; what the filters leave out does not matter. */
export function passes(room: ListedRoom, filters: LobbyFilters): boolean {
  const { presets, phases, freeSeats, custom } = filters
  if (presets !== undefined && !presets.includes(room.preset)) return false
  if (phases !== undefined && !phases.some((phase) => phase === room.phase)) return false
  if (custom !== undefined && custom !== room.custom) return false
  return freeSeats === undefined || freeSeats === hasFreeSeat(room)
}

/** A seat can be taken in the lobby only. */
const hasFreeSeat = ({ phase, seats }: ListedRoom): boolean =>
  phase === 'lobby' && seats.some(({ player }) => player === null)

/** The same text for filters that ask for the same. */
export function filterKey({ presets, phases, freeSeats, custom }: LobbyFilters): string {
  const sorted = (choices: readonly string[] | undefined) =>
    choices === undefined ? null : [...new Set(choices)].sort()
  return JSON.stringify([sorted(presets), sorted(phases), freeSeats ?? null, custom ?? null])
}
