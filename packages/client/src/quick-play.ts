import type { Result } from '@junqi/engine'
import type { ClientMessage, ServerMessage } from '@junqi/protocol'
import type { Refusal } from './refusal.ts'
import type { Reply, Requests } from './requests.ts'

/** How the player's wish for quick play stands. */
export type QuickPlayStatus = Omit<
  Extract<ServerMessage, { readonly type: 'quickPlayStatus' }>,
  'type'
>

/** What a player asks for. */
export type QuickPlayWish = Omit<
  Extract<ClientMessage, { readonly type: 'quickPlay' }>,
  'type' | 'id'
>

type Answer = Promise<Result<null, Refusal>>

/** Quick play: a wish, and what becomes of it. When it is `matched`, `room` is where the player sits. */
export type QuickPlayHandle = Omit<QuickPlay, 'receive' | 'sync'>

export class QuickPlay {
  readonly #requests: Requests
  readonly #listeners = new Set<(status: QuickPlayStatus) => void>()
  #status: QuickPlayStatus | null = null

  constructor(requests: Requests) {
    this.#requests = requests
  }

  /** null: nothing was asked for, and nothing told. */
  get status(): QuickPlayStatus | null {
    return this.#status
  }

  /** Calls `listener` at every change; the function that comes back ends that. */
  onChange(listener: (status: QuickPlayStatus) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Waits for a table: alone, or `with` a partner, to whom `status.code` is to be told. */
  join(wish: QuickPlayWish): Answer {
    return this.#done(this.#requests.ask((id) => ({ type: 'quickPlay', id, ...wish })))
  }

  /** Waits together with the player who told this code. */
  joinPair(code: string): Answer {
    return this.#done(this.#requests.ask((id) => ({ type: 'joinPair', id, code })))
  }

  /** Waits no longer. */
  cancel(): Answer {
    return this.#done(this.#requests.ask((id) => ({ type: 'cancelQuickPlay', id })))
  }

  /** Asks how it stands. */
  ask(): Answer {
    return this.#done(this.#requests.ask((id) => ({ type: 'askQuickPlay', id })))
  }

  /** There is a new connection: what was told while there was none is asked for. */
  sync(): void {
    const state = this.#status?.state
    if (state === 'waiting' || state === 'inviting') void this.ask()
  }

  receive({ type: _, ...status }: Extract<ServerMessage, { type: 'quickPlayStatus' }>): void {
    this.#status = status
    for (const listener of this.#listeners) listener(status)
  }

  async #done(asked: Promise<Result<Reply, Refusal>>): Answer {
    const result = await asked
    return result.ok ? { ok: true, value: null } : result
  }
}
