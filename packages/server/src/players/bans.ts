import type { PlayerId } from '@junqi/protocol'
import type { Logger } from '../logger.ts'
import { type BanStore, type Clock, type NodeStore, StoreUnavailableError } from '../ports.ts'
import { traceOf } from '../room/fault-log.ts'
import { type Ban, decodeBan, encodeBan, isOver } from './ban.ts'

/** How often a node looks whether another one has shut somebody out. */
export const BANS_CHECK_MS = 2_000

export interface BansDeps {
  readonly store: BanStore & Pick<NodeStore, 'isShared'>
  readonly serviceClock: Pick<Clock, 'now'>
  /** For looking again: it runs while the store fails. */
  readonly clock: Pick<Clock, 'now' | 'schedule'>
  readonly logger: Logger
}

/** Who is shut out, as this node knows it: asked at each login, so all of it is in memory. */
export class Bans {
  readonly #deps: BansDeps
  #bans: ReadonlyMap<PlayerId, Ban> = new Map()
  #banned: (player: PlayerId) => void = () => {}
  #cancelCheck = (): void => {}

  constructor(deps: BansDeps) {
    this.#deps = deps
  }

  /** Reads all there are. `banned` is called from then on with everyone who is shut out, at whichever node. */
  async start(banned: (player: PlayerId) => void): Promise<void> {
    this.#banned = banned
    await this.#read()
    if (this.#deps.store.isShared) this.#scheduleCheck()
  }

  stop(): void {
    this.#cancelCheck()
  }

  /** null: the player may come in. */
  of(player: PlayerId): Ban | null {
    const ban = this.#bans.get(player)
    return ban === undefined || isOver(ban, this.#now()) ? null : ban
  }

  /** As the store has them now, whoever made them; those that are over are forgotten. */
  async list(): Promise<ReadonlyMap<PlayerId, Ban>> {
    await this.#read()
    const over = [...this.#bans].filter(([, ban]) => isOver(ban, this.#now()))
    for (const [player] of over) await this.#deps.store.dropBan(player)
    this.#bans = new Map([...this.#bans].filter(([, ban]) => !isOver(ban, this.#now())))
    return this.#bans
  }

  /** Shuts a player out, for so long (null: for ever); durable when it resolves. */
  async ban(player: PlayerId, why: { reason: string; forMs: number | null }): Promise<Ban> {
    const since = this.#now()
    const until = why.forMs === null ? null : since + why.forMs
    const ban = { reason: why.reason, since, until }
    await this.#deps.store.keepBan(player, encodeBan(ban))
    this.#bans = new Map([...this.#bans, [player, ban]])
    this.#banned(player)
    return ban
  }

  /** Lets a player in again. false: it was not shut out. */
  async lift(player: PlayerId): Promise<boolean> {
    const wasThere = await this.#deps.store.dropBan(player)
    this.#bans = new Map([...this.#bans].filter(([other]) => other !== player))
    return wasThere
  }

  #now(): number {
    return this.#deps.serviceClock.now()
  }

  async #read(): Promise<void> {
    const before = this.#bans
    const stored = await this.#deps.store.bans()
    // What was changed here meanwhile is in none of it yet: the next look is right.
    if (this.#bans !== before) return
    this.#bans = new Map([...stored].map(([player, text]) => [player, decodeBan(text)]))
    const now = this.#now()
    for (const [player, ban] of this.#bans) {
      const known = before.get(player)
      const isNews = known === undefined || isOver(known, now)
      if (isNews && !isOver(ban, now)) this.#banned(player)
    }
  }

  #scheduleCheck(): void {
    const { clock } = this.#deps
    this.#cancelCheck = clock.schedule(clock.now() + BANS_CHECK_MS, () => {
      this.#read().catch((error) => this.#passOver(error))
      this.#scheduleCheck()
    })
  }

  /** Until the store answers, those that are known count. */
  #passOver(error: unknown): void {
    if (error instanceof StoreUnavailableError) return
    this.#deps.logger.error(traceOf(error), 'bans fault')
  }
}
