import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Requests that are being answered, so that a stop can let them finish. */
export class RequestsInHand {
  #count = 0
  #wake = (): void => {}

  constructor(app: FastifyInstance) {
    // Not of every request that came: those that wait for their turn may be dropped with their connection.
    app.addHook('onRequest', async (_request, reply) => {
      this.#count += 1
      // Comes once for each response, also for one whose client has gone.
      reply.raw.once('close', () => {
        this.#count -= 1
        if (this.#count === 0) this.#wake()
      })
    })
  }

  /** Resolves when none is left, or after so many milliseconds: a request may come in slowly, or never end (F-D2). */
  async settled(mostMs: number): Promise<void> {
    if (this.#count === 0) return
    const none = new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    await Promise.race([none, delay(mostMs, undefined, { ref: false })])
  }
}
