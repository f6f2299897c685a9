import { decodeServerMessage, type Player, type ServerMessage } from '@junqi/protocol'
import type { Session } from '../../src/socket/session.ts'

type Frame<Type extends ServerMessage['type']> = Extract<ServerMessage, { type: Type }>

/** A connection that keeps what it was sent. Every frame must pass its schema. */
export class FakeSession implements Session {
  readonly player: Player
  readonly frames: string[] = []
  /** How many frames it was told again at a time. */
  readonly replays: number[] = []
  /** Runs at each frame. */
  onSend: () => void = () => {}

  constructor(player: Player) {
    this.player = player
  }

  send(frame: string): void {
    this.frames.push(frame)
    this.onSend()
  }

  replay(frames: readonly string[]): void {
    this.replays.push(frames.length)
    for (const frame of frames) this.send(frame)
  }

  get messages(): readonly ServerMessage[] {
    return this.frames.map((frame) => {
      const decoded = decodeServerMessage(frame)
      if (!decoded.ok) throw new Error(decoded.error.message)
      if (decoded.value.type === 'unknown') throw new Error('a frame of an unknown type')
      return decoded.value
    })
  }

  of<Type extends ServerMessage['type']>(type: Type): readonly Frame<Type>[] {
    return this.messages.filter((message): message is Frame<Type> => message.type === type)
  }

  last<Type extends ServerMessage['type']>(type: Type): Frame<Type> {
    const message = this.of(type).at(-1)
    if (message === undefined) throw new Error(`no ${type} came`)
    return message
  }

  /** What came of rooms since the last time this was asked: all but where the player sits and how many look on, which come in their own time. */
  takeRoomFrames(): readonly string[] {
    return this.takeFrames().filter((frame) => !/^{"type":"(?:seat(?:s|ed)|onlookers)"/.test(frame))
  }

  /** What came since the last time this was asked. */
  takeFrames(): readonly string[] {
    return this.frames.splice(0)
  }
}
