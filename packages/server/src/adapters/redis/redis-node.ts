import type { Hints, NodeStore, PlayerId, RoomId } from '../../ports.ts'
import {
  formatHandedOn,
  formatLobbyHint,
  formatMuted,
  formatSeated,
  isLobbyHint,
  parseMuted,
  parsePresence,
  parseRoomHint,
  parseSeated,
} from './hint.ts'
import type { Keys } from './keys.ts'
import type { Link } from './link.ts'
import { onlookersSource } from './onlookers.ts'
import { Presence } from './presence.ts'
import { textsOf } from './reply.ts'
import { makeScript, type Script } from './script.ts'
import { Subscriptions } from './subscriptions.ts'
import { Tail } from './tail.ts'
import type { Timing } from './timing.ts'

/** Nobody listens yet. */
const UNHEARD: Hints = {
  roomChanged() {},
  roomGone() {},
  draftSaved() {},
  chatSaid() {},
  playerMuted() {},
  onlookersChanged() {},
  lobbyChanged() {},
  playerSeen() {},
  playerSeated() {},
  gameHandedOn() {},
  storeReplaced() {},
}

export interface RedisNodeParts {
  readonly link: Link
  readonly keys: Keys
  /** The name of this opening of the store, unlike any other's. */
  readonly node: string
  readonly timing: Timing
  /** Uniform in [0, 1). */
  readonly random: () => number
}

/** A node among others: it hears what they publish, and looks besides, since what is published may not arrive (F-C3). */
export class RedisNode implements NodeStore {
  readonly isShared = true
  protected readonly presence: Presence
  readonly #parts: RedisNodeParts
  readonly #subscriptions: Subscriptions
  readonly #tail: Tail
  readonly #onlookers: Script
  #hints = UNHEARD
  #timer: NodeJS.Timeout | undefined
  #look: Promise<void> | null = null
  #isClosed = false

  constructor(parts: RedisNodeParts) {
    const { link, keys, node, timing } = parts
    this.#parts = parts
    this.#onlookers = makeScript(onlookersSource(link))
    this.presence = new Presence({ link, keys, node, expiry: timing.presence })
    this.#subscriptions = new Subscriptions(link, (channel, message) => {
      this.#received(channel, message)
    })
    this.#tail = new Tail({
      link,
      keys,
      hints: {
        roomChanged: (room, version) => this.#hints.roomChanged(room, version),
        roomGone: (room) => this.#hints.roomGone(room),
        chatSaid: (room) => this.#hints.chatSaid(room),
      },
    })
    this.#next()
  }

  /** Resolves when the node hears of players, or as soon as it cannot now. */
  hear(): Promise<void> {
    return this.#subscriptions.add(this.#parts.keys.presence)
  }

  listen(hints: Hints): void {
    this.#hints = hints
  }

  /** What comes later is hinted in any case, at the latest by a look. */
  async follow(room: RoomId): Promise<void> {
    this.#tail.follow(room)
    await this.#subscriptions.add(this.#parts.keys.hint(room))
  }

  unfollow(room: RoomId): void {
    this.#tail.unfollow(room)
    this.#subscriptions.delete(this.#parts.keys.hint(room))
  }

  setConnected(player: PlayerId, isConnected: boolean): void {
    this.presence.set(player, isConnected)
  }

  /** What is not heard is told again (room/seats.ts). */
  tellSeated(player: PlayerId, room: RoomId): void {
    this.#tell(formatSeated(this.#parts.node, player, room))
  }

  /** What is not heard counts from the player's next connection on. */
  tellMuted(player: PlayerId): void {
    this.#tell(formatMuted(this.#parts.node, player))
  }

  async shareOnlookers(
    room: RoomId,
    here: string | null,
    isNews: boolean,
  ): Promise<readonly string[]> {
    const { link, keys, node } = this.#parts
    const others = await link.run(
      this.#onlookers,
      [keys.onlookers(room), keys.hint(room)],
      [node, here ?? '', isNews ? '1' : '', this.heard(room)],
    )
    return textsOf(others)
  }

  /** What is not heard is seen by the next look (room/lobby-feed.ts). */
  tellLobby(): void {
    this.#tell(formatLobbyHint(this.#parts.node))
  }

  tellHandedOn(room: RoomId): void {
    const { link, keys, node } = this.#parts
    const publish = link.isCluster ? 'SPUBLISH' : 'PUBLISH'
    link.send(publish, keys.hint(room), formatHandedOn(node)).catch(() => {})
  }

  connectedElsewhere(players: readonly PlayerId[]): Promise<ReadonlySet<PlayerId>> {
    return this.presence.elsewhere(players)
  }

  /** The store may have lost something, or be another one. */
  protected replaced(): void {
    this.#hints.storeReplaced()
  }

  /** Other servers of a cluster may have the channels now. */
  protected moved(): void {
    void this.#subscriptions.move()
  }

  /** '1': the server would send this node what is published about the room. */
  protected heard(room: RoomId): string {
    return this.#subscriptions.isHeard(this.#parts.keys.hint(room)) ? '1' : ''
  }

  /** This node made the mark in the room itself. */
  protected wrote(room: RoomId, mark: number): void {
    this.#tail.saw(room, mark)
  }

  protected async endNode(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#look
    await this.#subscriptions.close()
  }

  #tell(hint: string): void {
    const { link, keys } = this.#parts
    link.send(link.isCluster ? 'SPUBLISH' : 'PUBLISH', keys.presence, hint).catch(() => {})
  }

  #received(channel: string, message: string): void {
    const { keys, node } = this.#parts
    if (channel === keys.presence) {
      for (const player of parsePresence(message, node)) this.#hints.playerSeen(player)
      const seated = parseSeated(message, node)
      if (seated !== null) this.#hints.playerSeated(seated.player, seated.room)
      const listener = parseMuted(message, node)
      if (listener !== null) this.#hints.playerMuted(listener)
      if (isLobbyHint(message, node)) this.#hints.lobbyChanged()
      return
    }
    const room = channel.slice(channel.lastIndexOf(':') + 1) as RoomId
    const hint = parseRoomHint(message, node)
    if (hint?.type === 'changed') {
      this.#tail.saw(room, hint.mark)
      this.#hints.roomChanged(room, hint.told.version, hint.told)
    } else if (hint?.type === 'gone') this.#hints.roomGone(room)
    else if (hint?.type === 'chat') this.#hints.chatSaid(room)
    else if (hint?.type === 'onlookers') this.#hints.onlookersChanged(room)
    else if (hint?.type === 'draft') this.#hints.draftSaved(room, hint.player)
    else if (hint?.type === 'handedOn') this.#hints.gameHandedOn(room)
  }

  /** Half as long to one and a half times as long as said, so that nodes do not look all at once. */
  #next(): void {
    const { timing, random } = this.#parts
    this.#timer = setTimeout(
      () => {
        this.#look = this.#lookAround()
      },
      timing.look * (0.5 + random()),
    ).unref()
  }

  async #lookAround(): Promise<void> {
    await Promise.all([this.#subscriptions.check(), this.#tail.look()]).catch(() => {
      // The next look goes back to the last one that was whole.
    })
    if (!this.#isClosed) this.#next()
  }
}
