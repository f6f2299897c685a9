import { randomFormation, type Seat, shuffledLayout } from '@junqi/engine'
import { type ErrorCode, type Invitation, invitation, type Player } from '@junqi/protocol'
import { roomRules } from '../../src/room/lobby.ts'
import { encodeEntry, type LogEntry, parseEntry } from '../../src/room/log-entry.ts'
import type { PlayerAction, RoomCommand, Salts } from '../../src/room/room-command.ts'
import type { RoomEvent } from '../../src/room/room-event.ts'
import { decideRoom, evolveRoom } from '../../src/room/room-reducer.ts'
import { type RoomState, seatOf } from '../../src/room/room-state.ts'
import { seededRandom } from './players.ts'

export const INVITATION: Invitation = invitation.parse('abcdefghijklmnopqrstuv')
export const WRONG_INVITATION: Invitation = invitation.parse('abcdefghijklmnopqrstuw')

/** Salts of which each tells where its name stands. */
export const SALTS: Salts = {
  south: '00'.repeat(32),
  east: '01'.repeat(32),
  north: '02'.repeat(32),
  west: '03'.repeat(32),
  layout: '04'.repeat(32),
  first: '05'.repeat(32),
}

/** Who is first in the rules begins. */
export const CHANCE = { random: 0, salts: SALTS } as const

/** Of a flip game that starts, the pieces lie in an order of their own. */
export const START = { type: 'start', ...CHANCE, layout: shuffledLayout(() => 0) } as const

export interface RoomSetup {
  readonly host: Player
  readonly preset?: string
  readonly options?: Readonly<Record<string, unknown>>
  readonly private?: boolean
}

/** A room without a server: commands in, events out, time as the test says. Every entry goes through its text form. */
export class PureRoom {
  state: RoomState
  now = 1_000_000
  readonly log: LogEntry[] = []
  readonly random = seededRandom(1)

  constructor({ host, preset = 'siguo', options = {}, ...setup }: RoomSetup) {
    const rules = roomRules({ preset, options })
    if (!rules.ok) throw new Error(rules.error.message)
    const isPrivate = setup.private ?? false
    this.state = this.#append(null, host, [
      {
        type: 'roomCreated',
        host,
        rules: rules.value,
        invitation: isPrivate ? INVITATION : null,
        members: isPrivate ? [host.id] : [],
        seats: [],
        rematchOf: null,
      },
    ])
  }

  /** What a player's command does; a refusal is an error of the test. */
  act(player: Player, action: PlayerAction, receivedAt = this.now): readonly RoomEvent[] {
    return this.#apply({ ...action, player, at: this.now, receivedAt })
  }

  expire(isAttended = false): readonly RoomEvent[] {
    const { ruleSet } = this.state.rules
    const formations = Object.fromEntries(ruleSet.seats.map((seat) => [seat, this.formation()]))
    const chance = { random: this.random(), salts: SALTS }
    return this.#apply({ type: 'expire', at: this.now, isAttended, formations, ...chance })
  }

  refusal(player: Player, action: PlayerAction, receivedAt = this.now): ErrorCode {
    const decided = decideRoom(this.state, { ...action, player, at: this.now, receivedAt })
    if (decided.ok) throw new Error(`${action.type} was accepted`)
    return decided.error.code
  }

  formation(): string {
    return randomFormation(this.state.rules.ruleSet, this.random)
  }

  sit(players: readonly Player[]): void {
    for (const [i, player] of players.entries()) {
      const seat = this.state.rules.ruleSet.seats[i]
      if (seat === undefined) throw new Error('no such seat')
      this.act(player, { type: 'sit', seat, invitation: this.state.invitation })
    }
  }

  /** Everyone sits, is ready, and the host starts. */
  deploy(players: readonly Player[]): void {
    this.sit(players)
    for (const player of players) this.act(player, { type: 'ready' })
    const host = players.find(({ id }) => id === this.state.host)
    if (host === undefined) throw new Error('the host does not sit')
    this.act(host, START)
  }

  /** And hands in a formation. */
  play(players: readonly Player[]): void {
    this.deploy(players)
    for (const player of players) {
      const formation = this.formation()
      const chance = { random: this.random(), salts: SALTS }
      this.act(player, { type: 'submitFormation', formation, ...chance })
    }
  }

  get toMove(): Seat {
    const seat = this.state.game?.toMove
    if (!seat) throw new Error('nobody is to move')
    return seat
  }

  seatOf(player: Player): Seat | null {
    return seatOf(this.state, player.id)
  }

  #apply(command: RoomCommand): readonly RoomEvent[] {
    const decided = decideRoom(this.state, command)
    if (!decided.ok) throw new Error(`${decided.error.code}: ${decided.error.message}`)
    if (decided.value.length > 0 || command.type === 'expire') {
      const player = 'player' in command ? command.player : null
      this.state = this.#append(this.state, player, decided.value)
    }
    return decided.value
  }

  #append(
    before: RoomState | null,
    player: Player | null,
    events: readonly RoomEvent[],
  ): RoomState {
    const version = (before?.version ?? 0) + 1
    const body = { at: this.now, player: player?.id ?? null, command: null, events }
    const entry = parseEntry({ version, data: encodeEntry(body) })
    this.log.push(entry)
    return evolveRoom(before, entry)
  }
}
