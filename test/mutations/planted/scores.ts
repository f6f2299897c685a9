import type { Mutation } from '../mutation.ts'

const SERVER = 'packages/server/src'
const DRAIN = `${SERVER}/outbox/outbox-drain`
const CONTRACT = 'packages/server/test/contract'

/** What becomes of a game that has ended: handed on until it was taken, and added once. */
export const SCORED: readonly Mutation[] = [
  {
    fault: 'F-C7',
    plants: 'what an earlier run left in the outbox stays there',
    file: `${DRAIN}.ts`,
    find: '  start(): void {\n    this.#wake()\n',
    replace: '  start(): void {\n',
    test: `${DRAIN}.test.ts`,
  },
  {
    fault: 'F-C2',
    plants: 'an end that was not taken counts as handed on',
    file: `${DRAIN}.ts`,
    find: '      if (!isTaken) return\n',
    replace: '',
    test: `${DRAIN}.test.ts`,
  },
  {
    fault: 'F-C2',
    plants: 'what is fixed of a game is fixed anew by who comes later',
    file: `${SERVER}/adapters/memory/memory-store.ts`,
    find: 'return entry(this.#settlements, room, () => settlement)',
    replace: 'this.#settlements.set(room, settlement)\n    return settlement',
    test: `${CONTRACT}/memory-store.test.ts`,
  },
  {
    fault: 'F-C2',
    plants: 'a game is added to its players as often as it is said (LMDB)',
    file: `${SERVER}/adapters/lmdb/scores.ts`,
    find: '  if (batch.get(KEYS.added(player, room)) !== undefined) return before\n',
    replace: '',
    test: `${CONTRACT}/lmdb-store.test.ts`,
  },
  {
    fault: 'F-C2',
    plants: 'a game is added to its players as often as it is said (Redis)',
    file: `${SERVER}/adapters/redis/scores.ts`,
    find: "if redis.call('SADD', games, room) == 1 then",
    replace: "if redis.call('SADD', games, room) >= 0 then",
    test: `${CONTRACT}/redis-store.test.ts`,
  },
  {
    fault: 'F-C2',
    plants: 'what was begun for a room that failed is left half done',
    file: `${SERVER}/scores/score-keeper.ts`,
    find: 'if (known !== null) await this.#carryOut(room, known)',
    replace: 'if (known !== null) return',
    test: `${SERVER}/scores/score-keeper.test.ts`,
  },
]
