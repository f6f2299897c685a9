import type { RoomHandle, RoomState } from '@junqi/client'
import { InvariantError } from '@junqi/engine'
import type { Level } from '../brain.ts'
import { type Duty, dutyIn } from './duty.ts'
import type { Thinker } from './thinker.ts'

/** How long until a command is decided anew that was refused. */
const AGAIN_MS = 2_000

/** What bots share. */
export interface BotDeps {
  readonly thinker: Thinker
  readonly random: () => number
  /** About how long a bot takes over a move besides thinking, in milliseconds. */
  readonly pauseMs: number
  /** Calls `task` once, later; the function that comes back cancels it. */
  readonly schedule: (task: () => void, delayMs: number) => () => void
  /** A command was refused, as it can happen when two act at once; or it never should: see `code`. */
  readonly refused: (what: string, code: string) => void
  /** A fault of the bot itself. */
  readonly fault: (error: unknown) => void
}

/** A bot's part in one room: one thing after the other, each decided by what the room is then. */
export class BotGame {
  readonly #room: RoomHandle
  readonly #level: Level
  readonly #deps: BotDeps
  readonly #ended: () => void
  #isBusy = false
  /** Something happened while it was busy. */
  #isAsked = false
  #isOver = false
  #cancel = (): void => {}

  /** `ended` is called once: the bot has nothing to do there any more. */
  constructor(room: RoomHandle, level: Level, deps: BotDeps, ended: () => void) {
    this.#room = room
    this.#level = level
    this.#deps = deps
    this.#ended = ended
    room.onUpdate(({ type }) => {
      if (type === 'lost') this.#end()
      else this.look()
    })
    this.look()
  }

  /** The room may want something. */
  look(): void {
    this.#isAsked = true
    if (this.#isBusy || this.#isOver) return
    this.#isBusy = true
    this.#serve().catch((error) => {
      this.#isBusy = false
      this.#deps.fault(error)
      this.#lookLater()
    })
  }

  stop(): void {
    this.#isOver = true
    this.#cancel()
  }

  async #serve(): Promise<void> {
    while (this.#isAsked && !this.#isOver) {
      this.#isAsked = false
      const duty = this.#duty()
      if (duty?.type === 'goHome') this.#goHome()
      else if (duty !== null) await this.#do(duty)
    }
    this.#isBusy = false
  }

  #duty(): Duty | null {
    return this.#room.state === null ? null : dutyIn(this.#room.state)
  }

  async #do(duty: Exclude<Duty, { type: 'goHome' }>): Promise<void> {
    const before = this.#room.state
    if (duty.type === 'act') await this.#pause()
    const answered = this.#isStill(before) ? await this.#command(duty) : null
    if (answered === null) this.#isAsked = true
    else if (!answered.ok) {
      this.#deps.refused(duty.type, answered.error.code)
      this.#lookLater()
    }
  }

  /** null: while it was thinking the room went on, so it is to be decided anew. */
  async #command(duty: Exclude<Duty, { type: 'goHome' }>): ReturnType<BotGame['move']> {
    const room = this.#room
    switch (duty.type) {
      case 'ready':
        return room.ready()
      case 'answerSwap':
        return room.answerSwap(duty.swap, true)
      case 'deploy': {
        const { state } = room
        if (state === null) return null
        const { thinker } = this.#deps
        const formation = await thinker.formation(this.#level, state.view.rules.ruleSet, duty.seat)
        return this.#isStill(state) ? room.submitFormation(formation) : null
      }
      case 'act':
        return this.move(duty)
    }
  }

  private async move({ sight }: Extract<Duty, { type: 'act' }>) {
    const { state } = this.#room
    const action = await this.#deps.thinker.act(this.#level, sight)
    if (!this.#isStill(state)) return null
    if (action === null) throw new InvariantError('a brain that is asked has an answer')
    switch (action.type) {
      case 'move':
        return this.#room.move(action.from, action.to)
      case 'flip':
        return this.#room.flip(action.space)
      case 'answerDraw':
        return this.#room.answerDraw(action.offer, action.accept)
    }
  }

  /** Presence and the bot's own draft change nothing that it decides by. */
  #isStill(before: RoomState | null): boolean {
    return !this.#isOver && this.#room.state?.version === before?.version
  }

  #pause(): Promise<void> {
    const { pauseMs, random, schedule } = this.#deps
    if (pauseMs === 0) return Promise.resolve()
    return new Promise((resolve) => {
      const cancel = schedule(resolve, pauseMs * (0.5 + random()))
      this.#cancel = () => {
        cancel()
        resolve()
      }
    })
  }

  #lookLater(): void {
    if (!this.#isOver) this.#cancel = this.#deps.schedule(() => this.look(), AGAIN_MS)
  }

  #goHome(): void {
    this.#room.close()
    this.#end()
  }

  #end(): void {
    if (this.#isOver) return
    this.stop()
    this.#ended()
  }
}
