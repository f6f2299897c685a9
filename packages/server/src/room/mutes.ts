import { ok } from '@junqi/engine'
import { encodeServerMessage, type PlayerId } from '@junqi/protocol'
import { type ChatStore, type NodeStore, StoreUnavailableError } from '../ports.ts'
import type { Session } from '../socket/session.ts'
import { refuse } from './decision.ts'
import { IndexOf } from './index-of.ts'
import type { Outcome } from './request.ts'

/** Players whom one player may mute. */
const MOST_MUTED = 100

export interface MutesDeps {
  readonly store: Pick<ChatStore, 'setMuted' | 'mutedBy'> & Pick<NodeStore, 'tellMuted'>
  /** A fault of ours. */
  fault(error: unknown): void
}

/** Whom the players who are connected here do not hear (R-CHAT-5). */
export class Mutes {
  readonly #deps: MutesDeps
  readonly #sessions = new IndexOf<PlayerId, Session>()
  readonly #known = new Map<PlayerId, Promise<ReadonlySet<PlayerId>>>()

  constructor(deps: MutesDeps) {
    this.#deps = deps
  }

  connect(session: Session): void {
    this.#sessions.add(session.player.id, session)
    void this.#show(session.player.id, [session], false)
  }

  disconnect(session: Session): void {
    const { id } = session.player
    this.#sessions.delete(id, session)
    if (!this.#sessions.has(id)) this.#known.delete(id)
  }

  async of(player: PlayerId): Promise<ReadonlySet<PlayerId>> {
    const known = this.#known.get(player)
    if (known !== undefined) return known
    const asked = this.#deps.store.mutedBy(player).then((players) => new Set(players))
    if (this.#sessions.has(player)) this.#known.set(player, asked)
    asked.catch(() => {
      // It is asked again.
      if (this.#known.get(player) === asked) this.#known.delete(player)
    })
    return asked
  }

  async set(player: PlayerId, other: PlayerId, isMuted: boolean): Promise<Outcome> {
    if (player === other) return refuse('not_yourself', 'You always hear yourself.')
    const { store } = this.#deps
    const isDone = await store.setMuted(player, other, { isIn: isMuted, limit: MOST_MUTED })
    if (!isDone) return refuse('too_many_players')
    store.tellMuted(player)
    await this.changed(player)
    return ok({ version: null, isAnnounced: false })
  }

  /** By this node or another one. */
  async changed(player: PlayerId): Promise<void> {
    this.#known.delete(player)
    await this.#show(player, [...this.#sessions.get(player)], true)
  }

  async #show(player: PlayerId, sessions: readonly Session[], isNews: boolean): Promise<void> {
    if (sessions.length === 0) return
    try {
      const players = [...(await this.of(player))]
      if (players.length === 0 && !isNews) return
      const frame = encodeServerMessage({ type: 'mutes', players })
      for (const session of sessions) session.send(frame)
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) this.#deps.fault(error)
    }
  }
}
