import type { Mutation } from '../mutation.ts'
import { E2E, HTTP, SOCKET } from './places.ts'

const test = `${E2E}/drain.test.ts`

export const STOPS: readonly Mutation[] = [
  {
    fault: 'F-D1',
    plants: 'a stop does not wait for requests in hand',
    file: `${HTTP}/draining.ts`,
    find: 'await Promise.all([gateway.drain(), requests.settled(ANSWERS_MS)])',
    replace: 'await gateway.drain()',
    test,
  },
  {
    fault: 'F-D1',
    plants: 'a node that stops takes players again when it is told',
    file: `${HTTP}/draining.ts`,
    find: '    if (this.#isForGood) return\n',
    replace: '',
    test: `${HTTP}/draining.test.ts`,
  },
  {
    fault: 'F-D1',
    plants: 'a node that stops says that it is ready',
    file: `${HTTP}/health.ts`,
    find: 'if (isDraining())',
    replace: 'if (false)',
    test,
  },
  {
    fault: 'F-D1',
    plants: 'a node that stops lets newcomers in',
    file: `${HTTP}/door.ts`,
    find: 'if (this.#isClosed) return err(CLOSED)',
    replace: '',
    test,
  },
  {
    fault: 'F-D1',
    plants: 'all are told to come back at one moment',
    file: `${SOCKET}/gateway.ts`,
    find: 'Math.round(least + (most - least) * rng.random())',
    replace: 'Math.round(least + (most - least) * 0.5)',
    test,
  },
  {
    fault: 'F-D1',
    plants: 'who plays is told to wait like the others',
    file: `${SOCKET}/gateway.ts`,
    find: 'isPlaying(player) ? [50, 500] : [1000, 5000]',
    replace: 'isPlaying(player) ? [1000, 5000] : [1000, 5000]',
    test,
  },
  {
    fault: 'F-D2',
    plants: 'a client that reads nothing is waited for',
    file: `${SOCKET}/gateway.ts`,
    find: 'for (const connection of this.#connections()) connection.terminate()',
    replace: '',
    test,
  },
  {
    fault: 'F-D2',
    plants: 'a request that never ends is waited for',
    file: `${HTTP}/requests-in-hand.ts`,
    find: 'await Promise.race([none, delay(mostMs, undefined, { ref: false })])',
    replace: 'await none',
    test,
  },
]
