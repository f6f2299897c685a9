import { err, ok, type Result } from '@junqi/engine'
import { type ClientMessage, type CommandId, commandId, type ServerMessage } from '@junqi/protocol'
import { backoffDelay, type Urgency } from './backoff.ts'
import type { Environment } from './environment.ts'
import { type Refusal, refusal, refusalOf } from './refusal.ts'

/** Requests that may wait for an answer at a time; the server remembers as many per room. */
const MAX_WAITING = 64
/** How often a command is sent again that the server could not take just then: for about a minute at most. */
const MAX_REFUSALS: Readonly<Record<Urgency, number>> = { urgent: 60, patient: 8 }

export type Reply = Extract<ServerMessage, { readonly type: 'ack' | 'event' | 'snapshot' }>

interface Request {
  /** Made anew each time it is sent: what a `subscribe` asks for moves on. */
  readonly make: () => ClientMessage
  readonly resolve: (result: Result<Reply, Refusal>) => void
  refusals: number
  /** Ends the wait before it is sent again; null: it is sent, or will be when there is a connection. */
  cancelRetry: (() => void) | null
}

interface RequestsDeps {
  readonly send: (message: ClientMessage) => void
  /** How soon what was refused for the moment is sent again. */
  readonly urgency: () => Urgency
}

/** What was asked and not answered yet. It outlives connections: the same id is sent again on the next. */
export class Requests {
  readonly #environment: Environment
  readonly #deps: RequestsDeps
  readonly #waiting = new Map<string, Request>()
  readonly #prefix: string
  #count = 0
  #open = false
  #closed: Refusal | null = null

  constructor(environment: Environment, deps: RequestsDeps) {
    this.#environment = environment
    this.#deps = deps
    this.#prefix = randomText(12, environment.random)
  }

  ask(make: (id: CommandId) => ClientMessage): Promise<Result<Reply, Refusal>> {
    if (this.#closed !== null) return Promise.resolve(err(this.#closed))
    if (this.#waiting.size >= MAX_WAITING) {
      const message = `${MAX_WAITING} requests wait for an answer already.`
      return Promise.resolve(err(refusal('busy', message)))
    }
    const id = commandId.parse(`${this.#prefix}-${this.#count++}`)
    return new Promise((resolve) => {
      const request = { make: () => make(id), resolve, refusals: 0, cancelRetry: null }
      this.#waiting.set(id, request)
      this.#transmit(request)
    })
  }

  answer(message: Reply | Extract<ServerMessage, { readonly type: 'error' }>): void {
    const id = message.re ?? ''
    const request = this.#waiting.get(id)
    if (request === undefined) return
    if (message.type === 'error' && this.#retries(request, message)) return
    request.cancelRetry?.()
    this.#waiting.delete(id)
    request.resolve(message.type === 'error' ? err(refusalOf(message)) : ok(message))
  }

  /** There is a connection: sends all that is not answered, subscriptions first. */
  open(): void {
    this.#open = true
    const requests = [...this.#waiting.values()].filter(({ cancelRetry }) => cancelRetry === null)
    const isSubscribe = ({ make }: Request): number => (make().type === 'subscribe' ? 0 : 1)
    for (const request of requests.sort((one, other) => isSubscribe(one) - isSubscribe(other))) {
      this.#transmit(request)
    }
  }

  /** The connection is lost. */
  lost(): void {
    this.#open = false
  }

  /** For good. */
  close(reason: Refusal): void {
    this.#closed = reason
    for (const { cancelRetry, resolve } of this.#waiting.values()) {
      cancelRetry?.()
      resolve(err(reason))
    }
    this.#waiting.clear()
  }

  #transmit(request: Request): void {
    if (this.#open) this.#deps.send(request.make())
  }

  /** Whether it will be sent again: the server said that it may, and subscriptions never give up. */
  #retries(
    request: Request,
    { retryable, retryAfterMs }: Extract<ServerMessage, { readonly type: 'error' }>,
  ): boolean {
    const urgency = this.#deps.urgency()
    const again = request.refusals < MAX_REFUSALS[urgency] || isWatch(request.make())
    if (!retryable || !again) return false
    const pause = backoffDelay(request.refusals++, this.#environment.random, urgency)
    request.cancelRetry?.()
    request.cancelRetry = this.#environment.schedule(
      () => {
        request.cancelRetry = null
        this.#transmit(request)
      },
      Math.max(pause, retryAfterMs ?? 0),
    )
    return true
  }
}

const isWatch = ({ type }: ClientMessage): boolean => type === 'subscribe' || type === 'watchLobby'

function randomText(length: number, random: () => number): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
  return Array.from({ length }, () => letters.charAt(Math.floor(random() * letters.length))).join(
    '',
  )
}
