import { ok } from '@junqi/engine'
import { encodeServerMessage, type Player, roomId } from '@junqi/protocol'
import type { Rooms } from '../../src/app.ts'
import type { RoomMessage, Router, Session } from '../../src/socket/session.ts'

export const STUB_ROOM = roomId.parse('00000000')

/** Rooms that acknowledge everything; a test of sockets or HTTP replaces what it needs. */
export class StubRooms implements Rooms {
  readonly opened: Session[] = []
  readonly closed: Session[] = []
  readonly handled: RoomMessage[] = []
  /** Messages that wait for those before them. */
  readonly queued = new Set<RoomMessage>()
  playing: ReadonlySet<string> = new Set()
  readonly size = 0
  /** Runs before each acknowledgement. */
  before: (session: Session, message: RoomMessage) => Promise<void> | void = () => {}

  readonly router: Router = {
    open: (session) => void this.opened.push(session),
    close: (session) => void this.closed.push(session),
    queued: (_, message) => {
      this.queued.add(message)
      return () => void this.queued.delete(message)
    },
    handle: async (session, message) => {
      this.handled.push(message)
      await this.before(session, message)
      session.send(encodeServerMessage({ type: 'ack', re: message.id, room: null, version: null }))
    },
  }

  isPlaying(player: Player): boolean {
    return this.playing.has(player.id)
  }
  async start(): Promise<void> {}
  async stop(): Promise<void> {}
  createRoom: Rooms['createRoom'] = async () => ok({ room: STUB_ROOM, version: 1 })
  listRooms: Rooms['listRooms'] = async () => []
  seatsOf: Rooms['seatsOf'] = async () => []
  whyUnseen: Rooms['whyUnseen'] = async () => 'room_not_found'
  publicRoom: Rooms['publicRoom'] = async () => null
  isShown: Rooms['isShown'] = async () => false
  summaries: Rooms['summaries'] = async () => []
  summary: Rooms['summary'] = async () => null
  closeRoom: Rooms['closeRoom'] = async () => null
  removed(): void {}
}
