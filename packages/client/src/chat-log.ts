import type { Channel, ChatPosition, Player, ServerMessage } from '@junqi/protocol'

/** Something that was said. */
export type Said = Extract<ServerMessage, { readonly type: 'said' }>

/** How many look on without a seat, and some of those who let themselves be named. */
export interface OnlookerCount {
  readonly count: number
  readonly players: readonly Player[]
}

export const NO_ONLOOKERS: OnlookerCount = { count: 0, players: [] }

/** Messages that are kept of a channel. */
const KEPT = 200

/** What was said in a room, by channel. */
export class ChatLog {
  readonly #said = new Map<Channel, readonly Said[]>()

  said(channel: Channel): readonly Said[] {
    return this.#said.get(channel) ?? []
  }

  /** false: it is there already, or what is there is of a later game. */
  add(message: Said): boolean {
    const { channel, part, number } = message
    const before = this.said(channel)
    const last = before.at(-1)
    if (last !== undefined && (part < last.part || (part === last.part && number <= last.number))) {
      return false
    }
    // Another game's talk begins anew.
    const kept = last?.part === part ? before : []
    this.#said.set(channel, [...kept, message].slice(-KEPT))
    return true
  }

  /** What there is, so that it is not told again. */
  heard(): ChatPosition[] {
    return [...this.#said].flatMap(([channel, said]) => {
      const last = said.at(-1)
      return last === undefined ? [] : [{ channel, part: last.part, number: last.number }]
    })
  }
}
