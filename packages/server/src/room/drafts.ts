import type { Formation } from '@junqi/engine'
import type { CommandId, PlayerId, RoomId } from '@junqi/protocol'
import type { DraftStore } from '../ports.ts'

/** What the players of a room lay out before play: for each a stream of its own, which is in nobody else's way (R-DEPLOY-6). */
export class Drafts {
  readonly #room: RoomId
  readonly #store: DraftStore
  /** The last one of each player that is on its way to the store. */
  readonly #saving = new Map<PlayerId, Promise<void>>()

  constructor(room: RoomId, store: DraftStore) {
    this.#room = room
    this.#store = store
  }

  read(player: PlayerId): Promise<Formation | null> {
    return this.#store.readDraft(this.#room, player)
  }

  /** Stores a draft after its player's earlier ones. Gives what is kept now; null: what was kept before. */
  save(player: PlayerId, id: CommandId, formation: Formation): Promise<Formation | null> {
    const earlier = this.#saving.get(player) ?? Promise.resolve()
    const saving = earlier.then(() => this.#save(player, id, formation))
    const done = (): void => {
      if (this.#saving.get(player) === settled) this.#saving.delete(player)
    }
    const settled = saving.then(done, done)
    this.#saving.set(player, settled)
    return saving
  }

  /** Resolves when none is on its way. */
  async settled(): Promise<void> {
    await Promise.all(this.#saving.values())
  }

  async #save(player: PlayerId, id: CommandId, formation: Formation): Promise<Formation | null> {
    const before = await this.read(player)
    await this.#store.saveDraft(this.#room, player, id, formation)
    const kept = await this.read(player)
    return kept === before ? null : kept
  }
}
