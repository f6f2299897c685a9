import type { Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** Requests that are being answered, so that a stop can let them finish. */
export class RequestsInHand {
  #count = 0
  #wake = (): void => {}

  constructor(server: Server) {
    server.on('request', (_request, response) => {
      this.#count += 1
      // Comes once for each response, also for one whose client has gone.
      response.once('close', () => {
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
