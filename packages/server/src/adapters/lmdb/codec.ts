/**
 * The layout of the data file. One tree; keys and values are text; `-` stands for nothing.
 *
 *   key                    value                                        written
 *   Froom                  (empty)                                      when the room is marked failed
 *   Aroom                  version last first -                         by every append to a room that is
 *                                                                       archived (or becomes it)
 *   Broom                  the lobby line                               when it changes
 *   Cplayer                rooms that count against its limit           when one is made or ends
 *   Droom player           ids of its last 64 commands, \n, formation   by every draft
 *   Groom                  where it stands in lists, and its summary    once, when the game has ended
 *   Ilist place            room                                         with it
 *   Kplayer                its formations, as JSON                      when one of them changes
 *   Lroom                  version last first deadline                  now and then, see below
 *   Mplayer                those whom it does not hear                  when it mutes one
 *   Nplayer                name and level of a bot, as JSON             once
 *   Oroom                  sequence, \n, the end of the game            by the entry that ends the game,
 *                                                                       until it is settled
 *   Pplayer                name, token hash and date, as JSON           once, and by a new name
 *   Qtid, Qmid             players, \n, a ticket or match of quick play   when it is made, until it is gone
 *   Qwplayer               id of its ticket or match; = settled           the same
 *   Rbboard place          player, \n, its line of the board            when the player's games change it
 *   Rgplayer room          (empty)                                      when a game is added to the player
 *   Rhplayer number        a line of its history                        by each game; KEPT_GAMES of them stay
 *   Rpboard player         revision place, of its line of the board     with that line
 *   Rsroom                 what was settled of the game                 once
 *   Rtplayer               revision and sums, as JSON                   when a game is added to the player
 *   Sname                  secret, hex                                  once
 *   Tplayer                rooms where it may sit, room:version          when it is seated, or is no more
 *   Tplayer bots           the same of bots that it asked for           the same
 *   Wroom !                players who are silenced there               when that changes
 *   Wroom @player          id:number of its last 64 messages            by every message
 *   Wroom =STREAM          part, number of the last message             by every message
 *   Wroom STREAM number    the message                                  once; removed when it is old
 *   Xplayer                why and until when it is shut out             while it is
 *   clock                  service time                                 by every transaction
 *   format                 FORMAT                                       once
 *   zSEQUENCE              room version previous deadline player id, \n, data
 *                                                                       once for each entry of any room
 *
 * Entries of all rooms stand in the order in which they were accepted, under one sequence (9 digits
 * of base 36), so that a transaction of many rooms fills one page after another and touches no
 * others. `previous` is the sequence of the room's entry before (0: none): a log is read backwards
 * from `last`. `first` is the sequence of version 1, and with it the age of the room.
 *
 * A plain move thus writes its entry and nothing else. Where a live room stands is kept in memory;
 * its L record is renewed only when more than HEAD_WINDOW entries came since the first that it does
 * not know. So after a restart the L records and the last HEAD_WINDOW entries tell where each room
 * stands. An archived room has an A record instead, which is always right, and is not kept in memory.
 */
import type { CommandId, LobbyEntry, PlayerId, RoomId, SeatList, ServiceTime } from '../../ports.ts'

export const FORMAT = '1'
export const HEAD_WINDOW = 65_536

/** Where a room stands; `last` and `first` are sequences; the lobby line has its own record. */
export interface Head {
  readonly version: number
  readonly last: number
  readonly first: number
  readonly deadline: ServiceTime | null
  readonly lobby: LobbyEntry | null
}

/** A live room can become due or is listed; others are archived. */
export function isLive(head: Head): boolean {
  return head.deadline !== null || head.lobby !== null
}

/** What stands before the data of an entry. */
export interface EntryHeader {
  readonly room: RoomId
  readonly version: number
  /** The sequence of the room's entry before; 0: there is none. */
  readonly previous: number
  readonly deadline: ServiceTime | null
  readonly command: { readonly player: PlayerId; readonly id: CommandId } | null
}

export interface Draft {
  /** The oldest first. */
  readonly accepted: readonly string[]
  readonly formation: string
}

export const KEYS = {
  counted: (player: PlayerId) => `C${player}`,
  clock: 'clock',
  format: 'format',
  entry: (sequence: number) => `z${sequence.toString(36).padStart(9, '0')}`,
  live: (room: RoomId) => `L${room}`,
  archived: (room: RoomId) => `A${room}`,
  lobby: (room: RoomId) => `B${room}`,
  failed: (room: RoomId) => `F${room}`,
  ban: (player: PlayerId) => `X${player}`,
  bot: (player: PlayerId) => `N${player}`,
  match: (id: string) => `Qm${id}`,
  ticket: (id: string) => `Qt${id}`,
  waiting: (player: string) => `Qw${player}`,
  outbox: (room: RoomId) => `O${room}`,
  game: (room: RoomId) => `G${room}`,
  listed: (list: string, place: string) => `I${list} ${place}`,
  formations: (player: PlayerId) => `K${player}`,
  draft: (room: RoomId, player: PlayerId) => `D${room} ${player}`,
  drafts: (room: RoomId) => `D${room} `,
  player: (player: PlayerId) => `P${player}`,
  settlement: (room: RoomId) => `Rs${room}`,
  tally: (player: PlayerId) => `Rt${player}`,
  added: (player: PlayerId, room: RoomId) => `Rg${player} ${room}`,
  historyLine: (player: PlayerId, number: number) =>
    `Rh${player} ${number.toString(36).padStart(9, '0')}`,
  board: (board: string) => `Rb${board} `,
  boardLine: (board: string, place: string) => `Rb${board} ${place}`,
  boardPlace: (board: string, player: PlayerId) => `Rp${board} ${player}`,
  secret: (name: string) => `S${name}`,
  chat: (room: RoomId) => `W${room} `,
  silenced: (room: RoomId) => `W${room} !`,
  chatIds: (room: RoomId, player: PlayerId) => `W${room} @${player}`,
  chatLast: (room: RoomId, stream: string) => `W${room} =${stream}`,
  chatLine: (room: RoomId, stream: string, number: number) => `W${room} ${stream} ${number}`,
  muted: (player: PlayerId) => `M${player}`,
  seats: ({ whose, player }: SeatList) => (whose === 'own' ? `T${player}` : `T${player} bots`),
} as const

export function sequenceOfKey(key: string): number {
  return Number.parseInt(key.slice(1), 36)
}

/** The room of a key of kind A, B, F, L or O. */
export function roomOfKey(key: string): RoomId {
  return key.slice(1) as RoomId
}

export function encodeHead(head: Head): string {
  return `${head.version} ${head.last} ${head.first} ${head.deadline ?? '-'}`
}

export function decodeHead(text: string, lobby: LobbyEntry | null): Head {
  const [, version, last, first, deadline] = match(HEAD, text)
  return {
    version: Number(version),
    last: Number(last),
    first: Number(first),
    deadline: deadline === '-' ? null : Number(deadline),
    lobby,
  }
}

export function encodeEntry(header: EntryHeader, data: string): string {
  const { room, version, previous, deadline, command } = header
  const by = command === null ? '- -' : `${command.player} ${command.id}`
  return `${room} ${version} ${previous} ${deadline ?? '-'} ${by}\n${data}`
}

export function decodeEntry(text: string): EntryHeader {
  const [, room, version, previous, deadline, player, id] = match(ENTRY, text)
  return {
    room: room as RoomId,
    version: Number(version),
    previous: Number(previous),
    deadline: deadline === '-' ? null : Number(deadline),
    command: player === '-' ? null : { player: player as PlayerId, id: id as CommandId },
  }
}

export function entryData(text: string): string {
  return text.slice(text.indexOf('\n') + 1)
}

export function encodeDraft(draft: Draft): string {
  return `${draft.accepted.join(' ')}\n${draft.formation}`
}

export function decodeDraft(text: string): Draft {
  const end = text.indexOf('\n')
  return { accepted: text.slice(0, end).split(' '), formation: text.slice(end + 1) }
}

export function encodeEnd(sequence: number, ended: string): string {
  return `${sequence}\n${ended}`
}

export function decodeEnd(text: string): { readonly sequence: number; readonly ended: string } {
  const end = text.indexOf('\n')
  return { sequence: Number(text.slice(0, end)), ended: text.slice(end + 1) }
}

export function encodeRooms(rooms: readonly RoomId[]): string {
  return rooms.join(' ')
}

export function decodeRooms(text: string | undefined): readonly RoomId[] {
  return text === undefined ? [] : (text.split(' ') as RoomId[])
}

export function encodeSeats(seats: ReadonlyMap<RoomId, number>): string {
  return [...seats].map(([room, version]) => `${room}:${version}`).join(' ')
}

export function decodeSeats(text: string | undefined): ReadonlyMap<RoomId, number> {
  const notes = text === undefined ? [] : text.split(' ')
  return new Map(
    notes.map((note) => {
      const [, room, version] = match(SEAT, note)
      return [room as RoomId, Number(version)]
    }),
  )
}

const SEAT = /^([0-9a-z]{8}):(\d+)$/
const HEAD = /^(\d+) (\d+) (\d+) (-|\d+)$/
const ENTRY = /^([0-9a-z]{8}) (\d+) (\d+) (-|\d+) (-|[0-9a-z]{12}) ([A-Za-z0-9_-]{1,32})\n/

function match(pattern: RegExp, text: string): readonly string[] {
  const found = pattern.exec(text)
  if (found === null)
    throw new Error(`The store holds a record that it cannot read: ${text.slice(0, 60)}`)
  return found
}
