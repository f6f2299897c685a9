import { connect, type RoomWish } from '@junqi/client'
import WebSocket from 'ws'
import {
  brokenLog,
  expectedDrafts,
  hasEnded,
  type Logs,
  lostCommands,
  lostMoves,
  roomsOf,
} from '../support/audit.ts'
import { Crowd } from '../support/crowd.ts'
import { type Acknowledged, type Command, Ledger } from '../support/ledger.ts'
import { ledgerSocket } from '../support/ledger-socket.ts'
import { countLine, countLines, countTypes, sumOf } from '../support/report-lines.ts'
import { resend } from '../support/resend.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { complaintsIn, type ServerProcess, startServer } from '../support/server-process.ts'
import type { Table } from '../support/table.ts'
import { UNLIMITED } from '../support/unlimited.ts'
import { copyStored, readLogs, withStored } from './stored.ts'

export interface KillRunSize {
  /** Rooms at once. */
  readonly rooms: number
  readonly kills: number
  /** Acknowledged commands, at least. */
  readonly commands: number
  /** How many times faster the clients' clocks run: their pauses before they come back are shorter by as much. */
  readonly haste: number
  readonly seed: number
}

export interface KillReport {
  readonly kills: number
  /** Of them, kills of a server that was not ready yet. */
  readonly killsAtStart: number
  readonly acknowledged: ReadonlyMap<string, number>
  readonly refused: ReadonlyMap<string, number>
  /** Acknowledged and not in the store, or not as acknowledged, after a kill or at the end. */
  readonly lost: readonly string[]
  /** Drafts that had to be there, and were looked for. */
  readonly drafts: number
  /** Acknowledged commands that were sent once more after a kill. */
  readonly resent: number
  /** Logs that are not dense, repeat a command, go back in time or are not legal. */
  readonly broken: readonly string[]
  /** Replies too many, other replies to the same command, gaps in what a client was told. */
  readonly faults: readonly string[]
  readonly unanswered: number
  /** Resumed clients that see a room otherwise than a new one. */
  readonly differing: readonly string[]
  readonly rooms: number
  readonly gamesEnded: number
  /** The longest time from a kill to the next accepted move in any room. */
  readonly longestPauseMs: number
  /** What the servers wrote that tells of a fault. */
  readonly complaints: readonly string[]
}

/** How many of a player's last commands are sent again: far fewer than are remembered. */
const RESENT = 10

/** Turns long enough that no seat loses one while its player comes back, games short enough that many end. */
const OPTIONS = {
  turnSeconds: 600,
  deploymentSeconds: 1800,
  resignFromMove: 10,
  maxMoves: 100,
} as const

const WISHES: readonly (readonly [RoomWish, number])[] = [
  [{ preset: 'duel', options: OPTIONS, private: false }, 2],
  [{ preset: 'siguo', options: OPTIONS, private: false }, 4],
  [{ preset: 'duel', options: { ...OPTIONS, bankSeconds: 60 }, private: true }, 2],
  [{ preset: 'sanguo', options: OPTIONS, private: false }, 3],
  [{ preset: 'siguo-duel', options: OPTIONS, private: true }, 2],
]

/** Plays in many rooms at once, kills the server again and again, and holds its store against the ledger each time. */
export async function killRun(
  size: KillRunSize,
  progress: (line: string) => void,
): Promise<KillReport> {
  const server = await startServer(UNLIMITED)
  const run = new KillRun(server, size, progress)
  try {
    return await run.run()
  } finally {
    run.close()
    await server.stop()
  }
}

type Books = Pick<Ledger, 'acknowledged' | 'unanswered'>

class KillRun {
  readonly #server: ServerProcess
  readonly #size: KillRunSize
  readonly #progress: (line: string) => void
  readonly #random: () => number
  readonly #ledger = new Ledger()
  readonly #lost = new Set<string>()
  readonly #broken = new Set<string>()
  #crowd: Crowd | null = null
  #drafts = 0
  #resent = 0
  #kills = 0
  #killsAtStart = 0
  #killedAt: number | null = null
  #longestPauseMs = 0

  constructor(server: ServerProcess, size: KillRunSize, progress: (line: string) => void) {
    this.#server = server
    this.#size = size
    this.#progress = progress
    this.#random = seededRandom(size.seed)
    this.#ledger.onAcknowledged(({ command }) => {
      if (command.type === 'move') this.#moved()
    })
  }

  async run(): Promise<KillReport> {
    const crowd = await this.#gather()
    this.#crowd = crowd
    const played = crowd.play()
    // A table that breaks ends the run at once, and the run all tables.
    played.catch(() => {})
    await Promise.race([this.#killOften(crowd), played])
    crowd.finish()
    await played
    const differing = await crowd.differing()
    await this.#server.kill('SIGTERM')
    const copy = copyStored(this.#server.dataDir)
    const logs = await this.#audit(copy, this.#ledger)
    return this.#report(logs, differing)
  }

  close(): void {
    this.#crowd?.close()
  }

  #gather(): Promise<Crowd> {
    const { rooms, haste } = this.#size
    const { url } = this.#server
    const wishes = Array.from({ length: rooms }, (_, number) => {
      const [room, players] = WISHES[number % WISHES.length] ?? []
      if (room === undefined || players === undefined) throw new Error('no wish')
      return { room, players }
    })
    return Crowd.gather({ url, ledger: this.#ledger, random: this.#random, haste }, wishes)
  }

  async #killOften(crowd: Crowd): Promise<void> {
    const { kills, commands } = this.#size
    while (this.#kills < kills) {
      const done = this.#ledger.acknowledged.length
      const left = Math.max(0, commands - done) / (kills - this.#kills)
      await this.#acknowledgedAre(done + 20 + Math.floor(left * 2 * this.#random()))
      if (this.#kills % 3 === 0) await this.#acknowledgedIs('saveDraft')
      else await pause(50 * this.#random())
      await this.#kill(crowd)
    }
    await this.#acknowledgedAre(commands)
  }

  /** One kill, or a few in a row while the server starts. What the server then finds is looked at too, in a copy. */
  async #kill({ tables }: Crowd): Promise<void> {
    await this.#killOnce()
    while (this.#kills < this.#size.kills && this.#random() < 0.25) {
      this.#server.spawn()
      await pause(600 * this.#random())
      await this.#killOnce()
      this.#killsAtStart++
    }
    const ledger = this.#ledger.copy()
    const copy = copyStored(this.#server.dataDir)
    this.#progress(`${this.#kills} kills, ${ledger.unanswered.length} commands unanswered`)
    this.#server.spawn()
    await this.#server.ready()
    this.#progress('the server is back')
    await this.#audit(copy, ledger)
    await Promise.all(tables.map((table) => this.#auditView(table, ledger.acknowledged)))
    // Players of whom something is lost need not come to an end.
    const wrong = [...this.#lost, ...this.#broken]
    if (wrong.length > 0) throw new Error(wrong.join('\n'))
    this.#progress(
      `${this.#kills} kills and all is there, ${this.#ledger.acknowledged.length} acknowledged`,
    )
  }

  async #killOnce(): Promise<void> {
    this.#killedAt = performance.now()
    await this.#server.kill('SIGKILL')
    this.#kills++
  }

  #acknowledgedAre(count: number): Promise<void> {
    return this.#acknowledgedUntil(() => this.#ledger.acknowledged.length >= count)
  }

  #acknowledgedIs(type: Command['type']): Promise<void> {
    return this.#acknowledgedUntil(({ command }) => command.type === type)
  }

  #acknowledgedUntil(holds: (acknowledged: Acknowledged) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.#ledger.onAcknowledged((acknowledged) => {
        if (!holds(acknowledged)) return
        stop()
        resolve()
      })
    })
  }

  #moved(): void {
    if (this.#killedAt === null) return
    this.#longestPauseMs = Math.max(this.#longestPauseMs, performance.now() - this.#killedAt)
    this.#killedAt = null
  }

  /** Holds what is stored against what was written down before. */
  #audit(copy: string, ledger: Books): Promise<Logs> {
    return withStored(copy, async (store) => {
      const logs = await readLogs(store, roomsOf(ledger.acknowledged))
      for (const lost of lostCommands(ledger.acknowledged, logs)) this.#lost.add(lost)
      for (const [room, log] of logs) {
        for (const fault of brokenLog(log)) this.#broken.add(`${room}: ${fault}`)
      }
      for (const { room, player, formations } of expectedDrafts(ledger, logs)) {
        const draft = await store.readDraft(room, player)
        if (draft === null || !formations.includes(draft)) this.#lost.add(`a draft in ${room}`)
        this.#drafts++
      }
      return logs
    })
  }

  /** Holds what a player's new connection is told of its room against what was written down before. */
  async #auditView({ room, players }: Table, acknowledged: Books['acknowledged']): Promise<void> {
    if (room === null) return
    const { url } = this.#server
    const refusals: string[] = []
    for (const { id, token } of players) {
      const client = connect({ url, token, clientName: 'audit', WebSocket })
      const opened = await client.room(room).opened()
      client.close()
      // Who was removed from a private room sees it no more.
      if (!opened.ok) {
        refusals.push(opened.error.code)
        continue
      }
      for (const lost of lostMoves(acknowledged, opened.value)) this.#lost.add(lost)
      const own = acknowledged.filter((each) => each.player === id && each.room === room)
      const commands = own.slice(-RESENT).map(({ command }) => command)
      await resend({ url, token, WebSocket: ledgerSocket(this.#ledger, id) }, commands)
      this.#resent += commands.length
      return
    }
    // What led to a room's closing is looked at in its log.
    if (refusals.every((code) => code === 'room_closed')) return
    this.#lost.add(`${room}, which nobody sees: ${refusals.join(', ')}`)
  }

  #report(logs: Logs, differing: readonly string[]): KillReport {
    const { acknowledged, refusals, faults, unanswered } = this.#ledger
    return {
      kills: this.#kills,
      killsAtStart: this.#killsAtStart,
      acknowledged: countTypes(acknowledged),
      refused: refusals,
      lost: [...this.#lost],
      drafts: this.#drafts,
      resent: this.#resent,
      broken: [...this.#broken],
      faults,
      unanswered: unanswered.length,
      differing,
      rooms: logs.size,
      gamesEnded: [...logs.values()].filter(hasEnded).length,
      longestPauseMs: this.#longestPauseMs,
      complaints: complaintsIn(this.#server.output()),
    }
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** All that must not be, a line each. */
export const wrongIn = (report: KillReport): readonly string[] => [
  ...report.lost.map((line) => `lost: ${line}`),
  ...report.broken.map((line) => `broken log: ${line}`),
  ...report.faults.map((line) => `wrong reply: ${line}`),
  ...report.differing.map((line) => `another view: ${line}`),
  ...report.complaints.map((line) => `complaint: ${line}`),
  ...(report.unanswered === 0 ? [] : [`unanswered: ${report.unanswered}`]),
]

export function formatReport(report: KillReport): string {
  const { acknowledged, refused, ...rest } = report
  return [
    countLine('kills', rest.kills),
    countLine('  of them while it started', rest.killsAtStart),
    countLine('rooms', rest.rooms),
    countLine('games played to their ends', rest.gamesEnded),
    countLine('longest ms from kill to next move', rest.longestPauseMs),
    countLine('acknowledged', sumOf(acknowledged)),
    ...countLines(acknowledged),
    'refused',
    ...countLines(refused),
    countLine('drafts looked for', rest.drafts),
    countLine('sent again after their reply', rest.resent),
    countLine('lost', rest.lost.length),
    countLine('broken logs', rest.broken.length),
    countLine('wrong replies', rest.faults.length),
    countLine('unanswered', rest.unanswered),
    countLine('views that differ', rest.differing.length),
  ].join('\n')
}
