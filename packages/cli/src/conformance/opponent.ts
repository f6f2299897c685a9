import { makeBrain } from '@junqi/bots'
import {
  type Client,
  connect,
  createGuest,
  type Refusal,
  type RoomHandle,
  type RoomState,
} from '@junqi/client'
import { PRESETS, type Result } from '@junqi/engine'
import type { RoomId } from '@junqi/protocol'
import { WebSocket } from 'ws'
import { inputFailure } from '../failure.ts'

/** The seat of the client that is looked at begins. */
export const CLIENT_SEAT = 'south'
const OWN_SEAT = 'north'

/** What the opponent does when it is its turn: it moves, or gives the game up. */
export type Plan = (turn: number, room: RoomHandle) => Promise<'move' | 'resign'>

/** The host of a table for two, who plays against the client: an easy bot that does what a check asks for. */
export class Opponent {
  readonly room: RoomHandle
  readonly #client: Client
  readonly #plan: Plan
  readonly #brain = makeBrain('easy', { random: Math.random })
  readonly #failed: (error: unknown) => void
  #isBusy = false
  #isAsked = false

  private constructor(
    client: Client,
    room: RoomHandle,
    plan: Plan,
    failed: (error: unknown) => void,
  ) {
    this.#client = client
    this.room = room
    this.#plan = plan
    this.#failed = failed
    room.onUpdate(() => this.#look())
    this.#look()
  }

  /** Makes a table and sits down at it. `failed`: it could not do what it had to. */
  static async at(
    url: string,
    turnSeconds: number,
    plan: Plan,
    failed: (error: unknown) => void,
  ): Promise<Opponent> {
    const { token } = good(await createGuest(url, 'Conformance'))
    const client = connect({ url, token, clientName: 'junqi conformance', WebSocket })
    const options = { firstSeat: CLIENT_SEAT, turnSeconds, bankSeconds: 0, resignFromMove: 0 }
    const made = good(await client.createRoom({ preset: 'duel', options, private: false }))
    if (made.room === null) throw inputFailure('the server made no room')
    const room = client.room(made.room)
    good(await room.opened())
    good(await room.sit(OWN_SEAT))
    good(await room.ready())
    return new Opponent(client, room, plan, failed)
  }

  get roomId(): RoomId {
    return this.room.id
  }

  close(): void {
    this.#client.close()
  }

  #look(): void {
    this.#isAsked = true
    if (this.#isBusy) return
    this.#isBusy = true
    this.#serve().catch((error) => this.#failed(error))
  }

  /** One thing after the other, each by what the room is then. */
  async #serve(): Promise<void> {
    while (this.#isAsked) {
      this.#isAsked = false
      if (this.room.state !== null) await this.#act(this.room.state)
    }
    this.#isBusy = false
  }

  async #act({ view }: RoomState): Promise<void> {
    const { phase, seats, game, rules, history } = view
    if (phase === 'lobby' && seats[CLIENT_SEAT]?.ready === true) good(await this.room.start())
    if (phase === 'deployment' && seats[OWN_SEAT]?.ready === false) {
      good(await this.room.submitFormation(this.#brain.formation(PRESETS.duel, OWN_SEAT)))
    }
    if (game === null || game.toMove !== OWN_SEAT) return
    const planned = await this.#plan(game.turn, this.room)
    if (planned === 'resign') return played(await this.room.resign())
    const { ruleSet } = rules
    const action = this.#brain.act({ ruleSet, seat: OWN_SEAT, view: game, history })
    if (action?.type === 'move') played(await this.room.move(action.from, action.to))
    if (action?.type === 'answerDraw') played(await this.room.answerDraw(action.offer, false))
  }
}

/** What the client did meanwhile, or left undone, may have ended the turn or the game. */
const PASSED: readonly string[] = [
  'stale_turn',
  'too_late',
  'not_your_turn',
  'game_over',
  'wrong_phase',
]

function played(result: Result<unknown, Refusal>): void {
  if (result.ok || !PASSED.includes(result.error.code)) good(result)
}

function good<Value>(result: Result<Value, Refusal>): Value {
  if (result.ok) return result.value
  throw inputFailure(`the kit's own player was refused: ${result.error.message}`)
}
