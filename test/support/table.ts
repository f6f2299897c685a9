import type { Refusal, RoomHandle, RoomState, RoomWish } from '@junqi/client'
import { ERRORS, type Invitation, type PlayerId, type RoomId, type RoomView } from '@junqi/protocol'
import type { Player } from './make-player.ts'
import { atOnce, type Pace } from './pace.ts'
import { type Act, chooseAct, type Standpoint } from './player.ts'
import { Signal } from './signal.ts'

interface Place {
  readonly room: RoomId
  readonly invitation: Invitation | null
}

/** Players who play one game after the other, in one room after the other, until they are told to come to an end. */
export class Table {
  readonly #players: readonly Player[]
  readonly #wish: RoomWish
  readonly #pace: Pace
  readonly #signals = new Set<Signal>()
  /** The rooms that follow on rooms that were closed, and the first one. */
  readonly #made = new Map<RoomId | null, Promise<Place>>()
  readonly #handles = new Map<PlayerId, RoomHandle>()
  #isLastGame = false
  /** The room in which the players are now. */
  room: RoomId | null = null

  constructor(players: readonly Player[], wish: RoomWish, pace: Pace = atOnce) {
    this.#players = players
    this.#wish = wish
    this.#pace = pace
  }

  get players(): readonly Player[] {
    return this.#players
  }

  /** What each player knows now of the room that it is in. */
  seen(): readonly { readonly player: PlayerId; readonly state: RoomState }[] {
    return [...this.#handles].flatMap(([player, { state }]) =>
      state === null ? [] : [{ player, state }],
    )
  }

  /** Resolves when the last game is over. */
  async play(): Promise<void> {
    await Promise.all(this.#players.map((player) => this.#playOn(player)))
  }

  /** The game that goes on is the last. */
  finish(): void {
    this.#isLastGame = true
    for (const signal of this.#signals) signal.raise()
  }

  async #playOn(player: Player): Promise<void> {
    let place: Place | null = await this.#makeAfter(null, player)
    while (place !== null) {
      const { room, invitation }: Place = place
      this.room = room
      const handle = player.client.room(room, invitation === null ? {} : { invitation })
      this.#handles.set(player.id, handle)
      const end = await this.#playRoom(player, handle)
      if (end === 'closed') place = this.#isLastGame ? null : await this.#makeAfter(room, player)
      else place = end
      if (place !== null) handle.close()
    }
  }

  /** The room that the first player to ask makes. */
  #makeAfter(room: RoomId | null, player: Player): Promise<Place> {
    const known = this.#made.get(room)
    if (known !== undefined) return known
    const made = this.#make(player)
    this.#made.set(room, made)
    return made
  }

  async #make({ client }: Player): Promise<Place> {
    const created = await client.createRoom(this.#wish)
    if (!created.ok) throw new Error(`no room: ${created.error.message}`)
    const { room } = created.value
    if (room === null) throw new Error('a room without a name')
    const opened = await client.room(room).opened()
    if (!opened.ok) throw new Error(`a room that cannot be seen: ${opened.error.message}`)
    return { room, invitation: opened.value.view.invitation }
  }

  /** Acts until there is nothing more to do in a room; resolves with the next one. */
  async #playRoom(player: Player, handle: RoomHandle): Promise<Place | 'closed' | null> {
    const { id, random } = player
    const signal = new Signal()
    const refused = new Set<string>()
    let lost: Refusal | null = null
    this.#signals.add(signal)
    // Before it is opened: it may be lost in the same breath.
    const stop = handle.onUpdate((update) => {
      if (update.type === 'presence') return
      if (update.type === 'lost') lost = update.reason
      refused.clear()
      signal.raise()
    })
    const opened = await handle.opened()
    if (!opened.ok) lost = opened.error
    let hasThought = false
    try {
      for (;;) {
        const { view } = handle
        if (lost?.code === 'room_closed' || view?.closed) return 'closed'
        if (lost?.code === 'room_not_found' && view !== null && view.invitation !== null) {
          // Removed from a private room, and back with its invitation.
          return { room: handle.id, invitation: view.invitation }
        }
        if (lost !== null) throw new Error(`${handle.id} is lost: ${JSON.stringify(lost)}`)
        if (view !== null && view.rematch !== null) {
          return { room: view.rematch, invitation: view.invitation }
        }
        if (view !== null && (await this.#isOver(view, handle))) return null
        const standpoint = { view, me: id, random, isLastGame: this.#isLastGame }
        const act = view === null ? null : untried({ ...standpoint, view }, refused)
        if (view === null || act === null) await signal.wait()
        else if (!hasThought) await this.#think(view, player)
        else await this.#try(act, handle, refused)
        hasThought = act !== null && !hasThought
      }
    } finally {
      stop()
      this.#signals.delete(signal)
    }
  }

  async #think(view: RoomView, { client, random }: Player): Promise<void> {
    const isLastGame = this.#isLastGame
    const ms = this.#pace({ view, now: client.serverNow(), random, isLastGame })
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
  }

  /** What was refused, and not for the moment only, is not tried again unless something has changed since it was sent. */
  async #try({ kind, send }: Act, handle: RoomHandle, refused: Set<string>): Promise<void> {
    const before = handle.state?.version
    const result = await send(handle)
    if (result.ok) return
    const { code, message } = result.error
    if (code === 'closed') throw new Error(message)
    const isForGood = !ERRORS[code].retryable && handle.state?.version === before
    if (isForGood) refused.add(kind)
  }

  /** In a lobby the seat is given up: else the others, a step ahead, would wait in deployment for who is gone. */
  async #isOver({ phase }: RoomView, handle: RoomHandle): Promise<boolean> {
    if (!this.#isLastGame || phase !== 'lobby') return this.#isLastGame && phase === 'finished'
    const stood = await handle.stand()
    return stood.ok || stood.error.code === 'not_seated'
  }
}

/** One of the things that a player would do now and that were not refused before; null: none. */
function untried(standpoint: Standpoint, refused: ReadonlySet<string>): Act | null {
  const acts = Array.from({ length: refused.size * 8 + 1 }, () => chooseAct(standpoint))
  return acts.find((act) => act === null || !refused.has(act.kind)) ?? null
}
