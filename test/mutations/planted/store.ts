import type { Mutation } from '../mutation.ts'
import { CONTRACT, ROOM, STORES } from './places.ts'

const CONFIG = 'packages/server/src/config'

export const STORE: readonly Mutation[] = [
  {
    fault: 'F-C1',
    plants: 'sent before it is stored',
    file: `${ROOM}/room-log.ts`,
    find: '    const appended = await this.#append(step, request)\n',
    replace:
      '    this.audience.tell(step, null)\n    const appended = await this.#append(step, request)\n',
    test: `${ROOM}/room-actor.test.ts`,
  },
  {
    fault: 'F-C1',
    plants: 'the room has changed before it is stored',
    file: `${ROOM}/room-log.ts`,
    find: '    const appended = await this.#append(step, request)\n',
    replace: '    this.#copy.take(step)\n    const appended = await this.#append(step, request)\n',
    test: `${ROOM}/room-actor.test.ts`,
  },
  {
    fault: 'F-C1',
    plants: 'two nodes may write the same version',
    file: `${STORES}/memory/memory-store.ts`,
    find: 'request.expectedVersion !== room.log.length',
    replace: 'request.expectedVersion > room.log.length',
    test: `${CONTRACT}/memory-store.test.ts`,
  },
  {
    fault: 'F-C1',
    plants: 'two nodes may write one version to the file',
    file: `${STORES}/lmdb/lmdb-store.ts`,
    find: 'current !== request.expectedVersion',
    replace: 'current < request.expectedVersion',
    test: `${CONTRACT}/lmdb-store.test.ts`,
  },
  {
    fault: 'F-C5',
    plants: 'a misspelt store falls back to the one in memory',
    file: `${CONFIG}.ts`,
    find: "oneOf(['lmdb', 'memory']).default('lmdb')",
    replace: "oneOf(['lmdb', 'memory']).catch('memory')",
    test: `${CONFIG}.test.ts`,
  },
  {
    fault: 'F-C5',
    plants: 'a setting with a misspelt name is passed over',
    file: `${CONFIG}.ts`,
    find: 'const environment = z.strictObject({',
    replace: 'const environment = z.object({',
    test: `${CONFIG}.test.ts`,
  },
]
