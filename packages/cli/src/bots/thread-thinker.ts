import { Worker } from 'node:worker_threads'
import type { Action, Level, Sight, Thinker } from '@junqi/bots'
import type { Formation, RuleSet, Seat } from '@junqi/engine'

/** What the thread is asked, and what it answers. */
export type Question = { readonly id: number; readonly level: Level } & (
  | { readonly type: 'formation'; readonly ruleSet: RuleSet; readonly seat: Seat }
  | { readonly type: 'act'; readonly sight: Sight }
)
export interface Thought {
  readonly id: number
  readonly thought: Formation | Action | null
}
type Asked<Of> = Of extends Question ? Omit<Of, 'id'> : never

/** A thread for each level, so that who thinks long holds up nobody but its like. A thread that fails ends the process. */
export class ThreadThinker implements Thinker {
  readonly #threads = new Map<Level, ThinkingThread>()

  formation(level: Level, ruleSet: RuleSet, seat: Seat): Promise<Formation> {
    return this.#ask<Formation>({ type: 'formation', level, ruleSet, seat })
  }

  act(level: Level, sight: Sight): Promise<Action | null> {
    return this.#ask<Action | null>({ type: 'act', level, sight })
  }

  #ask<Answer extends Thought['thought']>(question: Asked<Question>): Promise<Answer> {
    const thread = this.#threads.get(question.level) ?? new ThinkingThread()
    this.#threads.set(question.level, thread)
    return thread.ask(question) as Promise<Answer>
  }
}

class ThinkingThread {
  readonly #worker = new Worker(new URL('./thinking-thread.js', import.meta.url))
  readonly #waiting = new Map<number, (thought: Thought['thought']) => void>()
  #count = 0

  constructor() {
    this.#worker.on('message', ({ id, thought }: Thought) => {
      this.#waiting.get(id)?.(thought)
      this.#waiting.delete(id)
    })
    // Its fault is thrown here, and ends the process.
    this.#worker.on('error', (error) => {
      throw error
    })
    // It alone keeps no process alive. After the listeners: one for messages holds the process again.
    this.#worker.unref()
  }

  ask(question: Asked<Question>): Promise<Thought['thought']> {
    const id = this.#count++
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#worker.postMessage({ ...question, id })
    })
  }
}
