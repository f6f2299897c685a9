import type { ListedRoom } from '@junqi/protocol'

/** The newest public rooms, of which a list shows some. */
export const KNOWN_ROOMS = 1_000
/** Rooms in a list. */
export const SHOWN_ROOMS = 200

interface Line {
  readonly listed: Pick<ListedRoom, 'host' | 'seats'>
}

/**
 * Of rooms, the newest first, as many as a list shows, in that order: the newest one of each host, then the second ones, and
 * so on, and of these those first where somebody sits. However many rooms few hosts make, or many make and do not sit down
 * in, they hide nobody else's.
 */
export function sharedOut<Each extends Line>(lines: readonly Each[]): readonly Each[] {
  if (lines.length <= SHOWN_ROOMS) return lines
  const counts = new Map<string, number>()
  const ranked = lines.map((line) => {
    const { host, seats } = line.listed
    const earlier = counts.get(host) ?? 0
    counts.set(host, earlier + 1)
    const isDeserted = seats.every(({ player }) => player === null)
    return { line, rank: 2 * earlier + Number(isDeserted) }
  })
  const first = ranked.toSorted((one, other) => one.rank - other.rank).slice(0, SHOWN_ROOMS)
  const shown = new Set(first.map(({ line }) => line))
  return lines.filter((line) => shown.has(line))
}
