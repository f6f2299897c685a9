import { LIMITS } from '@junqi/protocol'
import type { CommandId, PlayerId, RoomId } from '../../ports.ts'
import type { Command, PlacedCommand } from './log.ts'

/** The last command ids of one player in one room, as marks, and where their entries are; `next` is where the next one goes. */
interface Ring {
  readonly marks: Uint32Array
  readonly sequences: Float64Array
  next: number
}

type Players = Map<PlayerId, Ring>

/** After so many other rooms one is no longer kept in memory, and its log is read again. */
const MOST_ROOMS = 10_000

/** Differs from process to process, so that nobody can look for ids with equal marks. */
const SEED = Math.floor(Math.random() * 2 ** 32)

/**
 * Tells of most commands that they are new, without a look into the log, and of the others which entry to look at, however
 * long the log is: it keeps the last 64 command ids of each player in a room as 32-bit marks, 768 bytes a player.
 */
export class RecentCommands {
  /** Rooms asked for lately; when there are many, they become the earlier ones. */
  #rooms = new Map<RoomId, Players>()
  #earlier = new Map<RoomId, Players>()
  readonly #load: (room: RoomId) => readonly PlacedCommand[]

  /** `load` gives all commands of a room, the oldest first. */
  constructor(load: (room: RoomId) => readonly PlacedCommand[]) {
    this.#load = load
  }

  /** The sequences of the entries that it may have made; none: it is certainly none of its player's last 64. */
  placesOf(room: RoomId, { player, id }: Command): readonly number[] {
    const players = this.#rooms.get(room) ?? this.#fetch(room)
    const ring = players.get(player)
    return ring === undefined ? NOWHERE : placesIn(ring, markOf(id))
  }

  /** Adds a command to a room that is in memory; another is loaded with it later. */
  add(room: RoomId, command: PlacedCommand): void {
    const players = this.#rooms.get(room) ?? this.#earlier.get(room)
    if (players !== undefined) addTo(players, command)
  }

  forget(room: RoomId): void {
    this.#rooms.delete(room)
    this.#earlier.delete(room)
  }

  #fetch(room: RoomId): Players {
    const players = this.#earlier.get(room) ?? this.#loaded(room)
    if (this.#rooms.size >= MOST_ROOMS) {
      this.#earlier = this.#rooms
      this.#rooms = new Map()
    }
    this.#rooms.set(room, players)
    return players
  }

  #loaded(room: RoomId): Players {
    const players: Players = new Map()
    for (const command of this.#load(room)) addTo(players, command)
    return players
  }
}

/** A plain loop: several times as fast as the built-in search on an array this short. */
function placesIn({ marks, sequences }: Ring, mark: number): readonly number[] {
  let places = NOWHERE
  for (let at = 0; at < LIMITS.rememberedCommands; at++) {
    if (marks[at] === mark) places = [...places, sequences[at] ?? 0]
  }
  return places
}

const NOWHERE: readonly number[] = []

function addTo(players: Players, { player, id, sequence }: PlacedCommand): void {
  let ring = players.get(player)
  if (ring === undefined) {
    const count = LIMITS.rememberedCommands
    ring = { marks: new Uint32Array(count), sequences: new Float64Array(count), next: 0 }
    players.set(player, ring)
  }
  ring.marks[ring.next] = markOf(id)
  ring.sequences[ring.next] = sequence
  ring.next = (ring.next + 1) % LIMITS.rememberedCommands
}

/** FNV-1a; never 0, the mark of an empty place. */
function markOf(id: CommandId): number {
  let hash = SEED
  for (let at = 0; at < id.length; at++) {
    hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  }
  return (hash ^ (hash >>> 15)) >>> 0 || 1
}
