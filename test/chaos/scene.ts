import { SEATS } from '@junqi/engine'
import type { PlayerId } from '@junqi/protocol'
import { vi } from 'vitest'
import { brokenLog, lostCommands, roomsOf, strangeView } from '../support/audit.ts'
import { Crowd, type TableWish } from '../support/crowd.ts'
import { type Acknowledged, Ledger } from '../support/ledger.ts'
import { ledgerSocket } from '../support/ledger-socket.ts'
import { resend } from '../support/resend.ts'
import { seededRandom } from '../support/seeded-random.ts'
import type { Table } from '../support/table.ts'
import type { Findings } from './findings.ts'
import { ClosedRooms, lostDrafts, type Records, readRooms, wrongIndexes } from './records.ts'
import type { Site } from './site.ts'

/** A table at which nothing was accepted for so long is stuck. */
const STUCK_MS = 90_000
/** How many of a player's last commands are sent once more: far fewer than are remembered. */
const REPEATED = 10
const PATIENCE = { timeout: 30_000, interval: 200 }

/** Players at their tables while things go wrong, and what came of it. */
export class Scene {
  readonly ledger: Ledger
  readonly crowd: Crowd
  readonly random: () => number
  readonly #url: string
  readonly #records: Records
  readonly #tableOf: ReadonlyMap<PlayerId, Table>
  readonly #played: Promise<void>
  readonly #closed = new ClosedRooms()
  /** Acknowledgements and wrong replies that were looked at. */
  #audited = 0
  #reported = 0
  #timeouts = 0

  private constructor(
    { balancer, records }: Pick<Site, 'balancer' | 'records'>,
    { ledger, crowd }: { readonly ledger: Ledger; readonly crowd: Crowd },
    random: () => number,
  ) {
    this.ledger = ledger
    this.crowd = crowd
    this.random = random
    this.#url = balancer.url
    this.#records = records
    this.#tableOf = new Map(
      crowd.tables.flatMap((table) => table.players.map(({ id }) => [id, table] as const)),
    )
    this.#played = crowd.play()
    // It is looked at wherever something is waited for.
    this.#played.catch(() => {})
  }

  /** Everybody plays, until `finish`. */
  static async open(
    site: Pick<Site, 'balancer' | 'records'>,
    tables: readonly TableWish[],
    seed: number,
  ): Promise<Scene> {
    const ledger = new Ledger()
    const random = seededRandom(seed)
    const crowd = await Crowd.gather({ url: site.balancer.url, ledger, random }, tables)
    return new Scene(site, { ledger, crowd }, random)
  }

  tableOf({ player }: Pick<Acknowledged, 'player'>): Table {
    const table = this.#tableOf.get(player)
    if (table === undefined) throw new Error(`${player} sits at no table`)
    return table
  }

  /** Resolves when something more was accepted at every table. */
  async everyTableActs(): Promise<void> {
    const waiting = new Set(this.crowd.tables)
    await this.until((acknowledged) => {
      waiting.delete(this.tableOf(acknowledged))
      return waiting.size === 0
    })
  }

  /** Resolves at the first acknowledgement with which something holds; rejects when a table cannot go on. */
  async until(holds: (acknowledged: Acknowledged) => boolean): Promise<void> {
    let stop = (): void => {}
    const held = new Promise<void>((resolve) => {
      stop = this.ledger.onAcknowledged((acknowledged) => holds(acknowledged) && resolve())
    })
    await this.during(held).finally(stop)
  }

  /** What is waited for while everybody plays. */
  async during<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const stuck = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`It stands still.\n${this.#describe()}`)), STUCK_MS)
    })
    const broken = this.#played.then(() => stuck)
    return Promise.race([work, broken, stuck]).finally(() => clearTimeout(timer))
  }

  /** Holds the store, and what the players see, against what was written down since the last audit; repeats some of it. */
  async audit(): Promise<Findings> {
    await this.#repeat()
    const fresh = this.ledger.acknowledged.slice(this.#audited)
    const replies = this.ledger.faults.slice(this.#reported)
    this.#audited += fresh.length
    this.#reported += replies.length
    return { ...(await this.#auditStore(fresh)), wrongReplies: replies }
  }

  /** Plays the games to their ends, and holds everything against everything. */
  async finish(): Promise<Findings> {
    this.crowd.finish()
    await this.#played
    const gone = await this.#takenForGone()
    const findings = await this.#auditStore(this.ledger.acknowledged)
    const unanswered = this.ledger.unanswered.map(({ command }) => `no reply to ${command.id}`)
    return {
      ...findings,
      wrongReplies: [...this.ledger.faults, ...unanswered],
      strangeViews: [...findings.strangeViews, ...gone, ...(await this.crowd.differing())],
    }
  }

  /** Turns that ran out in the rooms that were looked at last. */
  get timeouts(): number {
    return this.#timeouts
  }

  close(): void {
    this.crowd.close()
  }

  /** Sends a player's last accepted commands once more, wherever its connection leads: the ledger judges the replies (F-R2). */
  async #repeat(): Promise<void> {
    const { acknowledged } = this.ledger
    await Promise.all(
      this.crowd.tables.map(async ({ room, players }) => {
        const player = players[Math.floor(this.random() * players.length)]
        if (player === undefined) return
        const own = acknowledged.filter((each) => each.player === player.id && each.room === room)
        const commands = own.slice(-REPEATED).map(({ command }) => command)
        const WebSocket = ledgerSocket(this.ledger, player.id)
        const way = { url: this.#url, token: player.token, WebSocket }
        await vi.waitFor(() => resend(way, commands), PATIENCE)
      }),
    )
  }

  async #auditStore(
    acknowledged: readonly Acknowledged[],
  ): Promise<Omit<Findings, 'wrongReplies'>> {
    // What was told and seen before is in the store now; what is told since may be there too.
    const { ledger } = this
    const before = ledger.acknowledged.length
    const { unanswered } = ledger
    const seen = this.crowd.tables.flatMap((table) => table.seen())
    const rooms = this.#closed.complete(
      await readRooms(this.#records, [
        ...roomsOf(acknowledged),
        ...seen.map(({ state }) => state.room),
      ]),
    )
    const open = [...unanswered, ...ledger.acknowledged.slice(before), ...ledger.unanswered]
    const stored = [...rooms]
    const logs = new Map(stored.map(([room, { log }]) => [room, log]))
    const events = stored.flatMap(([, { log }]) => log.flatMap((entry) => entry.events))
    this.#timeouts = events.filter(({ type }) => type === 'turnSkipped').length
    return {
      lost: [...lostCommands(acknowledged, logs), ...lostDrafts({ acknowledged, open }, rooms)],
      brokenLogs: stored.flatMap(([room, { log }]) =>
        brokenLog(log).map((fault) => `${room}: ${fault}`),
      ),
      strangeViews: seen.flatMap(({ player, state }) => {
        const strange = strangeView(logs.get(state.room) ?? [], player, state)
        return strange === null ? [] : [strange]
      }),
      wrongIndexes: stored.flatMap(([room, each]) => wrongIndexes(room, each)),
    }
  }

  /** Players who are shown as gone, although everyone is there. */
  async #takenForGone(): Promise<readonly string[]> {
    const gone = (): readonly string[] =>
      this.crowd.tables
        .flatMap((table) => table.seen())
        .flatMap(({ player, state: { room, view } }) => {
          const seats = SEATS.filter((seat) => view.seats[seat]?.goneSince != null)
          return seats.map((seat) => `${room} shows ${seat} as gone to ${player}`)
        })
    await vi.waitUntil(() => gone().length === 0, PATIENCE).catch(() => {})
    return gone()
  }

  #describe(): string {
    const tables = this.crowd.tables.flatMap((table) => [
      String(table.room),
      ...table.players.map(({ id, client }) => `  ${id} ${client.status.state}`),
      ...table.seen().map(({ player, state: { room, version, view } }) => {
        const { phase, game, host, you, seats } = view
        const ready = SEATS.filter((seat) => seats[seat]?.ready)
        const isHost = host === player ? 'host' : ''
        return `  ${player} ${room} ${version} ${phase} ${you.seat} ${isHost} ready: ${ready} turn: ${game?.turn} ${game?.toMove}`
      }),
    ])
    return [...this.ledger.waiting(), ...tables].join('\n')
  }
}
