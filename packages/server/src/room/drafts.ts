import {
  checkFormation,
  type Formation,
  type PerSeat,
  randomFormation,
  type Seat,
} from '@junqi/engine'
import type { CommandId, PlayerId, RoomId } from '@junqi/protocol'
import type { DraftStore, Rng } from '../ports.ts'
import { type RoomState, seated } from './room-state.ts'

/** What the players of a room lay out before play: for each a stream of its own, which is in nobody else's way (R-DEPLOY-6). */
export class Drafts {
  readonly #room: RoomId
  readonly #store: DraftStore
  /** What each player's sockets were last told here. */
  readonly #told = new Map<PlayerId, Formation>()
  /** The last thing that each player still waits for. */
  readonly #underWay = new Map<PlayerId, Promise<void>>()

  constructor(room: RoomId, store: DraftStore) {
    this.#room = room
    this.#store = store
  }

  read(player: PlayerId): Promise<Formation | null> {
    return this.#store.readDraft(this.#room, player)
  }

  /** What each of the players last laid out; null: nothing. */
  async readAll(players: Iterable<PlayerId>): Promise<ReadonlyMap<PlayerId, Formation | null>> {
    const reading = [...players].map(async (player) => [player, await this.read(player)] as const)
    return new Map(await Promise.all(reading))
  }

  /** R-DEPLOY-7: for each seat that is not ready its last draft, if the rules still allow it, else a random formation. */
  async ofTheLate(state: RoomState, rng: Pick<Rng, 'random'>): Promise<PerSeat<Formation>> {
    if (state.phase !== 'deployment') return {}
    await this.settled()
    const { ruleSet } = state.rules
    const formations: { [S in Seat]?: Formation } = {}
    for (const { seat, occupant } of seated(state)) {
      if (occupant.ready) continue
      const draft = await this.read(occupant.player.id)
      const isValid = draft !== null && checkFormation(ruleSet, draft) === null
      formations[seat] = isValid ? draft : randomFormation(ruleSet, () => rng.random())
    }
    return formations
  }

  /** Stores a draft after its player's earlier ones. Gives what its sockets are to be told; null: nothing new. */
  save(player: PlayerId, id: CommandId, formation: Formation): Promise<Formation | null> {
    return this.#inTurn(player, async () => {
      const before = await this.read(player)
      await this.#store.saveDraft(this.#room, player, id, formation)
      return this.#news(player, before)
    })
  }

  /** What the player's sockets are to be told after another node stored a draft; null: nothing new. */
  look(player: PlayerId): Promise<Formation | null> {
    return this.#inTurn(player, () => this.#news(player, null))
  }

  /** A socket of the player's is shown this draft. false: the others may show another one, and all are to be told anew. */
  isShownByAll(player: PlayerId, draft: Formation | null): boolean {
    const told = this.#told.get(player) ?? draft
    if (told === draft && draft !== null) this.#told.set(player, draft)
    else this.#told.delete(player)
    return told === draft
  }

  /** Resolves when none is on its way. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay.values())
  }

  async #news(player: PlayerId, before: Formation | null): Promise<Formation | null> {
    const kept = await this.read(player)
    if (kept === null || kept === (this.#told.get(player) ?? before)) return null
    this.#told.set(player, kept)
    return kept
  }

  #inTurn<T>(player: PlayerId, job: () => Promise<T>): Promise<T> {
    const earlier = this.#underWay.get(player) ?? Promise.resolve()
    const done = earlier.then(job)
    const forget = (): void => {
      if (this.#underWay.get(player) === settled) this.#underWay.delete(player)
    }
    const settled = done.then(forget, forget)
    this.#underWay.set(player, settled)
    return done
  }
}
