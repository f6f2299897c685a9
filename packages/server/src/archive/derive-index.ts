import { readEndedGame } from '../outbox/ended-game.ts'
import { type ArchiveStore, type Clock, LogDamagedError, type RoomStore } from '../ports.ts'
import { indexedGame, LISTS } from './summary.ts'

const AT_ONCE = 100

export interface DeriveDeps {
  readonly store: ArchiveStore &
    Pick<RoomStore, 'rooms' | 'read' | 'version' | 'isFailed'> & { readonly clock: Clock }
  /** Milliseconds since 1970. */
  readonly date: () => number
}

/** What was done to an index. */
export interface Derived {
  /** Finished games that there are. */
  readonly games: number
  /** Of them those that the index had not. */
  readonly added: number
  /** Games that it had and that are not there any more. */
  readonly dropped: number
}

/** Makes the archive's index what the logs say it is (F-C7). Whoever plays meanwhile is in nobody's way. */
export async function deriveIndex(deps: DeriveDeps): Promise<Derived> {
  const { store } = deps
  let [games, added] = [0, 0]
  for await (const room of store.rooms()) {
    const game = (await store.isFailed(room)) ? null : await readGame(deps, room)
    if (game === null) continue
    games += 1
    if ((await store.findGame(room)) === null) added += 1
    await store.indexGame(indexedGame(game))
  }
  return { games, added, dropped: await dropOthers(store) }
}

/** A log that cannot be read is nobody's game. */
async function readGame({ store, date }: DeriveDeps, room: Parameters<RoomStore['read']>[0]) {
  try {
    return await readEndedGame(store, room, { date: date(), service: store.clock.now() })
  } catch (error) {
    if (error instanceof LogDamagedError) return null
    throw error
  }
}

async function dropOthers(store: DeriveDeps['store']): Promise<number> {
  let [dropped, place] = [0, '']
  for (;;) {
    const listed = await store.listGames(LISTS.ages, place, AT_ONCE)
    for (const { game } of listed) {
      const isThere = (await store.version(game.room)) > 0 && !(await store.isFailed(game.room))
      if (isThere) continue
      await store.dropGame(game.room)
      dropped += 1
    }
    const last = listed.at(-1)
    if (last === undefined) return dropped
    place = last.place
  }
}
