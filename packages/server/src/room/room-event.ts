import {
  ATTACK_OUTCOMES,
  COLOURS,
  ELIMINATION_REASONS,
  END_REASONS,
  type Formation,
  type GameEvent,
  type PerSealed,
  PIECE_KINDS,
  PIECE_SYMBOLS,
  SEATS,
  type Seat,
} from '@junqi/engine'
import {
  type Invitation,
  invitation,
  type Player,
  type PlayerId,
  player,
  playerId,
  type RoomId,
  type RoomView,
  roomId,
  rules,
  type Spectators,
  seal,
  spectators,
} from '@junqi/protocol'
import { z } from 'zod'

/** A preset, what the host overrode, and the rules that follow. The log keeps all three: presets may change. */
export type RoomRules = RoomView['rules']

export const LEAVING_REASONS = ['stood', 'left', 'removed'] as const
export type VacatedReason = (typeof LEAVING_REASONS)[number]

/** How a room began. */
export interface RoomCreated {
  readonly type: 'roomCreated'
  readonly host: Player
  readonly rules: RoomRules
  /** null: the room is public. */
  readonly invitation: Invitation | null
  /** Who may see a private room. */
  readonly members: readonly PlayerId[]
  /** A rematch takes its seats over, the longest seated player first. */
  readonly seats: readonly { readonly seat: Seat; readonly player: Player }[]
  readonly rematchOf: RoomId | null
  /** Left out: everyone, at once. */
  readonly spectators?: Spectators
}

/** What happens in a room around its game, as the log keeps it. */
export type TableEvent =
  | RoomCreated
  | { readonly type: 'seatTaken'; readonly seat: Seat; readonly player: Player }
  | {
      readonly type: 'seatVacated'
      readonly seat: Seat
      readonly player: PlayerId
      readonly reason: VacatedReason
    }
  | {
      readonly type: 'seatChanged'
      readonly player: PlayerId
      readonly from: Seat
      readonly to: Seat
    }
  | {
      readonly type: 'swapRequested'
      readonly swap: number
      readonly by: Seat
      readonly with: Seat
    }
  | { readonly type: 'swapAnswered'; readonly swap: number; readonly accept: boolean }
  | { readonly type: 'hostChanged'; readonly player: PlayerId }
  | { readonly type: 'memberJoined'; readonly player: Player }
  | { readonly type: 'rulesChanged'; readonly rules: RoomRules }
  | { readonly type: 'spectatorsChanged'; readonly spectators: Spectators }
  | { readonly type: 'readyChanged'; readonly seat: Seat; readonly ready: boolean }
  /** Ready in deployment. The formation is the one secret that the log holds before the game starts (R-DEPLOY-6). */
  | { readonly type: 'formationSubmitted'; readonly seat: Seat; readonly formation: Formation }
  | { readonly type: 'deploymentStarted' }
  | { readonly type: 'deploymentCancelled' }
  /** In the entry that starts play. The salts are the one secret that the log holds beside what stands where (R-SEAL-2). */
  | { readonly type: 'gameSealed'; readonly commitments: PerSealed; readonly salts: PerSealed }
  | { readonly type: 'bankUsed'; readonly seat: Seat; readonly bankMs: number }
  | { readonly type: 'rematchCreated'; readonly room: RoomId }
  | { readonly type: 'roomClosed' }

export type RoomEvent = TableEvent | GameEvent

const seat = z.enum(SEATS)
const colour = z.enum(COLOURS)
const space = z.string().regex(/^[a-q](?:[1-9]|1[0-7])$/)
const formation = z.string().regex(/^[1-9BLF]{25}$/)
const serial = z.number().int().positive()
const reason = z.enum(ELIMINATION_REASONS)
const event = <T extends RoomEvent['type'], Shape extends z.ZodRawShape>(type: T, shape: Shape) =>
  z.strictObject({ type: z.literal(type), ...shape })

/** Every event that a log may hold. What is not here is refused when a log is read (F-H3). */
export const roomEvent = z.discriminatedUnion('type', [
  event('roomCreated', {
    host: player,
    rules,
    invitation: invitation.nullable(),
    members: z.array(playerId),
    seats: z.array(z.strictObject({ seat, player })),
    rematchOf: roomId.nullable(),
    spectators: spectators.exactOptional(),
  }),
  event('seatTaken', { seat, player }),
  event('seatVacated', { seat, player: playerId, reason: z.enum(LEAVING_REASONS) }),
  event('seatChanged', { player: playerId, from: seat, to: seat }),
  event('swapRequested', { swap: serial, by: seat, with: seat }),
  event('swapAnswered', { swap: serial, accept: z.boolean() }),
  event('hostChanged', { player: playerId }),
  event('memberJoined', { player }),
  event('rulesChanged', { rules }),
  event('spectatorsChanged', { spectators }),
  event('readyChanged', { seat, ready: z.boolean() }),
  event('formationSubmitted', { seat, formation }),
  event('deploymentStarted', {}),
  event('deploymentCancelled', {}),
  event('gameSealed', seal.shape),
  event('bankUsed', { seat, bankMs: z.number().int().nonnegative() }),
  event('rematchCreated', { room: roomId }),
  event('roomClosed', {}),
  event('gameStarted', {
    formations: z.partialRecord(seat, formation),
    layout: z.array(z.templateLiteral([colour, z.enum(PIECE_SYMBOLS)])).exactOptional(),
    first: seat,
  }),
  event('pieceMoved', { from: space, to: space }),
  event('pieceAttacked', { from: space, to: space, outcome: z.enum(ATTACK_OUTCOMES) }),
  event('flagRevealed', { seat, space }),
  event('officerScouted', { space, kind: z.enum(PIECE_KINDS) }),
  event('pieceFlipped', { space, colour, kind: z.enum(PIECE_KINDS) }),
  event('coloursKnown', { colours: z.partialRecord(seat, colour) }),
  event('turnSkipped', { seat }),
  event('seatEliminated', { seat, reason }),
  event('drawOffered', { seat, offer: serial }),
  event('drawAnswered', { seat, offer: serial, accept: z.boolean() }),
  event('drawLapsed', { offer: serial }),
  event('gameEnded', { winners: z.array(seat), reason: z.enum(END_REASONS) }),
])
