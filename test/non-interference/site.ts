import { isSeat, type Layout, SEATS } from '@junqi/engine'
import { BOT_LEVELS, type BotLevel, type Player, type PlayerId, type RoomId } from '@junqi/protocol'
import type { RoomMessage } from '../../packages/server/src/socket/session.ts'
import type { Bots } from './bots.ts'
import type { Random } from './random.ts'

/**
 * Who is at a table: a player for each seat, one who watches, a bot's account that watches, and one who has nothing to do
 * with it; and two who sit at other tables as they please, and whom nobody compares.
 */
export const VIEWERS = [...SEATS, 'spectator', 'bot', 'stranger'] as const
export type Viewer = (typeof VIEWERS)[number]
export const ACTORS = [...VIEWERS, 'outsider', 'accomplice'] as const
export type Actor = (typeof ACTORS)[number]

/** How well the bot plays whose account an actor's is; undefined: it is a person. Who looks on plays as none that sits does. */
export function botLevelOf(actor: Actor, bots: Bots): BotLevel | undefined {
  const seated = Object.values(bots)
  if (actor === 'bot') return BOT_LEVELS.find((level) => !seated.includes(level))
  return isSeat(actor) ? bots[actor] : undefined
}

/** A frame as it came. */
export interface Frame {
  readonly text: string
  /** With all that went over the wire before the text; the same where there is no wire. */
  readonly whole: string
}

/** An open connection of an actor. */
export interface Line {
  /** Resolves when nothing moves any more: all that came of it was heard by everyone. */
  say(message: RoomMessage): Promise<void>
  /** The same once the server knows that it is gone. */
  close(): Promise<void>
}

/** How a process dies, and what it was asked just before. */
export interface Death {
  readonly line: Line
  readonly message: RoomMessage
  /** Of what was to be stored. */
  readonly when: 'before' | 'after'
}

/** What a table is played on: the server, as much of it as is real. Its time passes when it is told, and its randomness is the seed's. */
export interface Site {
  readonly players: ReadonlyMap<Actor, Player>
  /** So long after a deadline it is served for certain. */
  readonly graceMs: number
  now(): number
  /** Resolves when nothing moves any more. */
  advance(milliseconds: number): Promise<void>
  /** `other`: at so many nodes further than the actor's own. */
  open(actor: Actor, other: number, hear: (frame: Frame) => void): Promise<Line>
  /** What HTTP answers an actor. */
  request(actor: Actor, about: Request): Promise<readonly string[]>
  /** Other processes on what is stored. Lines are gone by then, or go with the old ones. */
  restart(death: Death | null): Promise<void>
  /** Throws if the server had a fault of its own. */
  check(): void
  close(): Promise<void>
}

export interface Request {
  readonly room: RoomId
  /** Somebody whose games are none of who asks. */
  readonly other: PlayerId
  /** Chooses some of what can be asked; null: all of it is. */
  readonly random: Random | null
  /**
   * Whether the list of rooms may be asked for: whoever does has it read, and who watches it is told a little sooner what
   * changed. So it is nothing that may differ between two runs, though nothing hidden is told by it.
   */
  readonly isListed: boolean
}

export interface Setting {
  readonly seed: number
  /** Over which it is played. */
  readonly nodes: number
  /** What lies where in a flip game. */
  readonly layout?: Layout | undefined
  /** The seats that are for bots. */
  readonly bots: Bots
}

export type OpenSite = (setting: Setting) => Promise<Site>
