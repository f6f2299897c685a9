import type { Mutation } from '../mutation.ts'
import { E2E, ENGINE, HTTP, SERVER, STORES } from './places.ts'

const ARCHIVE = `${SERVER}/archive`

/** Finished games and formations. */
export const ARCHIVED: readonly Mutation[] = [
  {
    fault: 'F-H12',
    plants: 'a private game is read by whoever knows its room',
    file: `${ARCHIVE}/archive.ts`,
    find: 'return isSeen || isShared ? game : null',
    replace: 'return isSeen || isShared || share === null ? game : null',
    test: `${E2E}/archive.test.ts`,
  },
  {
    fault: 'F-H12',
    plants: 'what opens one private game opens them all',
    file: `${ARCHIVE}/share.ts`,
    find: 'update(`share ${room}`)',
    replace: 'update(`share ${room.length}`)',
    test: `${E2E}/archive.test.ts`,
  },
  {
    fault: 'F-H12',
    plants: 'anyone is told the private games of a player',
    file: `${ARCHIVE}/archive.ts`,
    find: 'return player === viewer?.id ? LISTS.own(player) : LISTS.of(player)',
    replace: 'return viewer !== null ? LISTS.own(player) : LISTS.of(player)',
    test: `${E2E}/archive.test.ts`,
  },
  {
    fault: 'F-H12',
    plants: 'the game of a failed room can be read',
    file: `${ARCHIVE}/finished-games.ts`,
    find: 'if (version === 0 || isFailed) return null',
    replace: 'if (version === 0) return null',
    test: `${E2E}/archive.test.ts`,
  },
  {
    fault: 'F-H12',
    plants: 'formations are kept for whoever asks',
    file: `${HTTP}/formations.ts`,
    find: 'return player.ok ? answer(player.value, asked) : player',
    replace:
      "return player.ok ? answer({ ...player.value, id: '000000000000' as never }, asked) : player",
    test: `${E2E}/formations.test.ts`,
  },
  {
    fault: 'F-C7',
    plants: 'a game that the index has lost stays lost',
    file: `${ARCHIVE}/archive.ts`,
    find: '    await this.#store.indexGame(indexedGame(game))\n',
    replace: '',
    test: `${ARCHIVE}/archive.test.ts`,
  },
  {
    fault: 'F-C7',
    plants: 'a game that ends is taken for one without an end, and forgotten',
    file: `${STORES}/lmdb/lmdb-store.ts`,
    find: '        .filter(({ sequence }) => sequence < this.#standing.next)\n',
    replace: '',
    test: `${STORES}/lmdb/lmdb-store.test.ts`,
  },
  {
    fault: 'F-H7',
    plants: 'a replay shows a seat what was so, not what it saw',
    file: `${ENGINE}/positions.ts`,
    find: "if (as !== 'truth') return viewGame(state, as)",
    replace: "if (as === 'spectator') return viewGame(state, as)",
    test: `${E2E}/archive.test.ts`,
  },
  {
    fault: 'F-C6',
    plants: 'of games that retention removes something is kept for ever',
    file: `${ARCHIVE}/retention.ts`,
    find: 'await store.forgetAdded(seats[seat].id, room)',
    replace: 'void seats[seat].id',
    test: `${ARCHIVE}/archive.test.ts`,
  },
]
