import { type Client, connect, createGuest } from '@junqi/client'
import { randomFormation } from '@junqi/engine'
import type { Guest } from '@junqi/protocol'
import WebSocket from 'ws'
import { good, moveIn, until } from '../chaos/game.ts'

/** People who come now and then, do a little in a room of their own, and go: nothing of it is to stay. */
export class Visits {
  readonly #url: string
  readonly #random: () => number
  readonly #pairs: (readonly Guest[])[] = []
  /** Rooms that were made and left. */
  made = 0
  /** Visits that came to an end before, by what they were told. */
  readonly cutShort = new Map<string, number>()

  constructor(url: string, random: () => number) {
    this.#url = url
    this.#random = random
  }

  async invite(pairs: number): Promise<void> {
    while (this.#pairs.length < pairs) {
      const names = ['Visitor', 'Other']
      this.#pairs.push(
        await Promise.all(names.map(async (name) => good(await createGuest(this.#url, name)))),
      )
    }
  }

  /** Every pair again and again, until it is told to stop. */
  async untilStopped(stop: AbortSignal): Promise<void> {
    await Promise.all(
      this.#pairs.map(async (pair) => {
        while (!stop.aborted) {
          await this.#visit(pair, stop).then(
            () => this.made++,
            (error: unknown) => stop.aborted || this.#endedBefore(error),
          )
          await new Promise((resolve) => setTimeout(resolve, 2_000 * this.#random()))
        }
      }),
    )
  }

  #endedBefore(error: unknown): void {
    const why = error instanceof Error ? error.message : String(error)
    this.cutShort.set(why, (this.cutShort.get(why) ?? 0) + 1)
  }

  async #visit(guests: readonly Guest[], stop: AbortSignal): Promise<void> {
    const clients = guests.map(({ token }) =>
      connect({ url: this.#url, token, clientName: 'visitor', WebSocket }),
    )
    const close = (): void => {
      for (const client of clients) client.close()
    }
    stop.addEventListener('abort', close)
    try {
      const [host, other] = clients
      if (host !== undefined && other !== undefined) await this.#useRoom(host, other)
    } finally {
      stop.removeEventListener('abort', close)
      close()
    }
  }

  /** How far they get is chance: to the lobby, to deployment, into the game. */
  async #useRoom(host: Client, other: Client): Promise<void> {
    const { room } = good(await host.createRoom({ preset: 'duel', options: {}, private: false }))
    if (room === null) throw new Error('a room without a name')
    const [south, north] = [host.room(room), other.room(room)]
    const [far, seats] = [this.#random(), [south, north] as const]
    good(await south.sit('south'))
    good(await north.sit('north'))
    good(await south.say('room', 'Hello'))
    for (const handle of seats) good(await handle.ready())
    if (far > 0.3) good(await south.start())
    for (const handle of far > 0.4 ? seats : []) {
      const { view } = await until(handle, ({ view: { phase } }) => phase === 'deployment')
      good(await handle.submitFormation(randomFormation(view.rules.ruleSet, this.#random)))
    }
    if (far > 0.5) {
      const { view } = await until(south, ({ view: { phase } }) => phase === 'playing')
      const order = view.game?.toMove === 'north' ? [north, south] : seats
      for (let n = 0; n < 6; n++) await moveIn(order[n % 2] ?? south, n)
    }
    good(await south.leave())
    // A game ends with that.
    if (far <= 0.4) good(await north.leave())
  }
}
