import type { EndConsumer } from '../outbox/consumer.ts'
import type { ArchiveStore } from '../ports.ts'
import { indexedGame } from './summary.ts'

/** Takes ended games into the index; the game of a failed room is in no archive. */
export const archiveConsumer = (
  store: Pick<ArchiveStore, 'indexGame' | 'dropGame'>,
): EndConsumer => ({
  name: 'archive',
  take: (game) => store.indexGame(indexedGame(game)),
  takeVoid: (room) => store.dropGame(room),
})
