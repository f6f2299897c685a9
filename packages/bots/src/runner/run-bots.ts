import { type Client, connect, createBot, type Environment, systemEnvironment } from '@junqi/client'
import { LEVELS, type Level } from '../brain.ts'
import { type BotDeps, BotGame } from './bot-game.ts'

/** How long a bot waits that could not be made, or whose line was closed for good. */
const AGAIN_MS = 3_000

export interface BotsOptions extends BotDeps {
  /** Of the server. */
  readonly url: string
  /** The server's bot key. */
  readonly key: string
  /** How many of each level. */
  readonly roster: Readonly<Partial<Record<Level, number>>>
  /** Their names begin with it. Two runners at one server need two: the same names are the same bots. */
  readonly prefix: string
  /** That of npm `ws`, where there is none. */
  readonly WebSocket?: Parameters<typeof connect>[0]['WebSocket']
  readonly fetch?: Environment['fetch']
  /** How many bots are connected now, and in how many rooms they are. */
  readonly changed?: (state: { readonly online: number; readonly rooms: number }) => void
  /** A bot cannot be made, or was sent away: it comes back by itself. */
  readonly troubled?: (name: string, why: string) => void
  /** The server has another bot key, so none of the bots can be made; called once. */
  readonly denied?: () => void
}

/** Bots at a server, until they are stopped. */
export interface Bots {
  stop(): void
}

/** Connects bots, which play wherever they are seated. Who they are follows from the key, so nothing is kept. */
export function runBots(options: BotsOptions): Bots {
  const players: BotPlayer[] = []
  let isDenied = false
  const denied = (): void => {
    if (isDenied) return
    isDenied = true
    for (const player of players) player.stop()
    options.denied?.()
  }
  const changed = (): void => {
    const online = players.filter((player) => player.isOnline).length
    options.changed?.({ online, rooms: players.reduce((sum, { rooms }) => sum + rooms, 0) })
  }
  for (const level of LEVELS) {
    for (let n = 1; n <= (options.roster[level] ?? 0); n++) {
      players.push(
        new BotPlayer(`${options.prefix}${level}-${n}`, level, options, { changed, denied }),
      )
    }
  }
  for (const player of players) void player.start()
  return {
    stop() {
      for (const player of players) player.stop()
    },
  }
}

interface Told {
  readonly changed: () => void
  readonly denied: () => void
}

/** One bot: its line to the server, and its part in each room where it sits. */
class BotPlayer {
  readonly #name: string
  readonly #level: Level
  readonly #options: BotsOptions
  readonly #told: Told
  readonly #games = new Map<string, BotGame>()
  #client: Client | null = null
  #isStopped = false
  #cancel = (): void => {}

  constructor(name: string, level: Level, options: BotsOptions, told: Told) {
    this.#name = name
    this.#level = level
    this.#options = options
    this.#told = told
  }

  get isOnline(): boolean {
    return this.#client?.status.state === 'online'
  }

  get rooms(): number {
    return this.#games.size
  }

  async start(): Promise<void> {
    const { url, key, fetch = systemEnvironment.fetch } = this.#options
    const made = await createBot(url, { name: this.#name, level: this.#level, key }, { fetch })
    if (this.#isStopped) return
    if (made.ok) this.#connect(made.value.token)
    else if (made.error.code === 'unauthorized') this.#told.denied()
    else this.#startAgain(made.error.message)
  }

  stop(): void {
    this.#isStopped = true
    this.#cancel()
    for (const game of this.#games.values()) game.stop()
    this.#games.clear()
    this.#client?.close()
  }

  #connect(token: string): void {
    const { url, WebSocket, fetch = systemEnvironment.fetch } = this.#options
    const client = connect({
      url,
      token,
      clientName: 'junqi bots',
      fetch,
      ...(WebSocket !== undefined && { WebSocket }),
    })
    this.#client = client
    client.onSeated((room) => this.#enter(client, room))
    client.onStatus((status) => {
      if (status.state === 'closed') this.#startAgain(status.reason.message)
      this.#told.changed()
    })
  }

  #enter(client: Client, room: Parameters<Client['room']>[0]): void {
    if (this.#isStopped || this.#games.has(room)) return
    const game = new BotGame(client.room(room), this.#level, this.#options, () => {
      this.#games.delete(room)
      this.#told.changed()
    })
    this.#games.set(room, game)
    this.#told.changed()
  }

  #startAgain(why: string): void {
    if (this.#isStopped) return
    this.#client = null
    for (const game of this.#games.values()) game.stop()
    this.#games.clear()
    this.#options.troubled?.(this.#name, why)
    this.#cancel = this.#options.schedule(() => void this.start(), AGAIN_MS)
  }
}
