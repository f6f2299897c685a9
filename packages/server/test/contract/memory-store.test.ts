import { MemoryStore } from '../../src/adapters/memory/memory-store.ts'
import { systemRng } from '../../src/adapters/system-rng.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { describeQueue } from './queue.contract.ts'
import { describeStore } from './store.contract.ts'

const makePlace = async () => ({
  open: async () => new MemoryStore({ clock: new FakeClock(), rng: systemRng }),
  countKeys: async () => null,
  dispose: async () => {},
})

describeStore({ name: 'the memory store', keeps: false, runs: 20, makePlace })
describeQueue({ makePlace, keeps: false, isShared: false })
