import type { Formation, Layout, PerSeat, Sealable, Seat, SpaceId } from '@junqi/engine'
import type { Invitation, Player, PlayerId, RoomId, Spectators } from '@junqi/protocol'
import type { ServiceTime } from '../ports.ts'

/** In hex, for all that a game may seal (R-SEAL-1). */
export type Salts = Readonly<Record<Sealable, string>>

/** What chance makes of a game whose play begins. */
export interface Chance {
  /** From 0 up to 1: it chooses the first seat where the rules leave it open (R-TURN-2). */
  readonly random: number
  readonly salts: Salts
}

/** And of one that begins at once, as the flip game does (R-FLIP-1). */
export interface DealtChance extends Chance {
  /** What lies where. */
  readonly layout: Layout
}

/** What a player can ask of a room. */
export type PlayerAction =
  /** To see a private room from now on. */
  | { readonly type: 'join'; readonly invitation: Invitation | null }
  | { readonly type: 'sit'; readonly seat: Seat; readonly invitation: Invitation | null }
  | { readonly type: 'stand' }
  | { readonly type: 'requestSwap'; readonly seat: Seat }
  | { readonly type: 'answerSwap'; readonly swap: number; readonly accept: boolean }
  | { readonly type: 'ready' }
  | { readonly type: 'notReady' }
  | {
      readonly type: 'setRules'
      readonly preset: string
      readonly options: Readonly<Record<string, unknown>>
    }
  | { readonly type: 'setSpectators'; readonly spectators: Spectators }
  | { readonly type: 'removePlayer'; readonly target: PlayerId }
  /** `bot`: who is to take the seat; null: nobody was found. */
  | { readonly type: 'addBot'; readonly seat: Seat; readonly bot: Player | null }
  | ({ readonly type: 'start' } & DealtChance)
  | { readonly type: 'saveDraft'; readonly formation: string }
  | ({ readonly type: 'submitFormation'; readonly formation: string } & Chance)
  | {
      readonly type: 'move'
      readonly turn: number
      readonly from: SpaceId
      readonly to: SpaceId
    }
  | { readonly type: 'flip'; readonly turn: number; readonly space: SpaceId }
  | { readonly type: 'resign'; readonly turn: number }
  | { readonly type: 'leave' }
  | { readonly type: 'offerDraw' }
  | { readonly type: 'answerDraw'; readonly offer: number; readonly accept: boolean }
  /**
   * `room` is the new room, which is there already; null: when it was to be made, the game was still going on. It takes the
   * place of `closed`, a rematch that was found closed.
   */
  | { readonly type: 'rematch'; readonly room: RoomId | null; readonly closed: RoomId | null }

interface Sent {
  readonly player: Player
  /** When the command is judged: the time of its entry. */
  readonly at: ServiceTime
  /** When the server received it: what deadlines are held against (F-T3). */
  readonly receivedAt: ServiceTime
}

export type PlayerCommand = Sent & PlayerAction
export type CommandOf<Type extends PlayerAction['type']> = Sent &
  Extract<PlayerAction, { readonly type: Type }>

/**
 * An action as a command. That of every turn is built field by field: V8 adds fields to a spread of many forms by the
 * slowest way that it has, which costs as much as the rules do.
 */
export function asCommand(action: PlayerAction, { player, at, receivedAt }: Sent): PlayerCommand {
  if (action.type !== 'move') return { ...action, player, at, receivedAt }
  const { type, turn, from, to } = action
  return { type, turn, from, to, player, at, receivedAt }
}

/** The room's deadline has come. */
export interface Expire extends Chance {
  readonly type: 'expire'
  readonly at: ServiceTime
  /** Somebody who sits here is connected: an idle lobby stays open. */
  readonly isAttended: boolean
  /** For the seats that are not ready in deployment: the last valid draft, else a random formation (R-DEPLOY-7). */
  readonly formations: PerSeat<Formation>
}

/** Who runs the server closes the room (R-ROOM-6). */
export interface Close {
  readonly type: 'close'
}

export type RoomCommand = PlayerCommand | Expire | Close
