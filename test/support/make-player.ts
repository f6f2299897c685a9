import { type Client, connect, createGuest, systemEnvironment } from '@junqi/client'
import type { PlayerId } from '@junqi/protocol'
import type { Ledger } from './ledger.ts'
import { ledgerSocket } from './ledger-socket.ts'
import { seededRandom } from './seeded-random.ts'

/** A guest with a client, which comes back by itself. */
export interface Player {
  readonly id: PlayerId
  readonly token: string
  readonly client: Client
  readonly random: () => number
}

export interface PlayerOptions {
  /** Of the server, or of what stands before several. */
  readonly url: string
  /** Where everything is written down that the players send and are told. */
  readonly ledger: Ledger
  readonly random: () => number
  /** How many times faster the clients' clocks run: their pauses before they come back are shorter by as much. */
  readonly haste?: number
}

/** Its client connects at once. */
export async function makePlayer(name: string, options: PlayerOptions): Promise<Player> {
  const { url, ledger, haste = 1 } = options
  const random = seededRandom(Math.floor(options.random() * 2 ** 32))
  const made = await createGuest(url, name)
  if (!made.ok) throw new Error(made.error.message)
  const { id, token } = made.value
  const client = connect({
    url,
    token,
    clientName: 'crowd',
    WebSocket: ledgerSocket(ledger, id),
    random,
    ...hurried(haste),
  })
  return { id, token, client, random }
}

/** The clients' clock, so many times as fast as it is. */
const hurried = (haste: number) => ({
  now: () => systemEnvironment.now() * haste,
  schedule: (task: () => void, delayMs: number) =>
    systemEnvironment.schedule(task, delayMs / haste),
})
