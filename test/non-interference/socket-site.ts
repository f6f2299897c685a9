import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { invariant } from '@junqi/engine'
import { guest, type Player } from '@junqi/protocol'
import { z } from 'zod'
import { type HttpAsk, httpAsks } from './http-asks.ts'
import {
  ACTORS,
  type Actor,
  botLevelOf,
  type Death,
  type Frame,
  type Line,
  type Request,
  type Setting,
  type Site,
} from './site.ts'
import { clientFrame, FrameReader, Wire } from './wire.ts'

const PROGRAM = fileURLToPath(new URL('./world-process.mjs', import.meta.url))
/** Where the time of the server begins. */
const START = 1_000_000
/** After which a process is taken to hang. */
const PATIENCE_MS = 60_000
const BOT_KEY = 'the-bots-of-this-test'
const MANY = '1000000/s burst 1000000'

const ENV = {
  JUNQI_BOT_KEY: BOT_KEY,
  JUNQI_RATE_REQUESTS: MANY,
  JUNQI_RATE_REPLAYS: MANY,
  JUNQI_RATE_GUESTS: MANY,
  JUNQI_RATE_ROOMS: MANY,
  JUNQI_RATE_CHAT: MANY,
  JUNQI_RATE_MESSAGES: MANY,
  JUNQI_RATE_PLAYER: MANY,
  JUNQI_RATE_STRIKES: MANY,
}

const opened = z.object({ port: z.number() })
const settled = z.object({
  now: z.number(),
  written: z.array(z.tuple([z.number(), z.number()])),
  faults: z.array(z.string()),
})

interface Account {
  readonly player: Player
  readonly token: string
}

/** Processes that have loaded, or do: most of what a world costs is the loading, so each plays the end of one and the begin of another. */
const spares: WorldProcess[] = []

/** A server that does what it is told over IPC. */
class WorldProcess {
  readonly #child: ChildProcess
  readonly #loaded: Promise<unknown>

  constructor() {
    this.#child = fork(PROGRAM, { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    this.#loaded = this.#heard()
    // It is asked for when it is needed.
    this.#loaded.catch(() => {})
  }

  static next(): WorldProcess {
    return spares.pop() ?? new WorldProcess()
  }

  /** Lets go of its world, and waits for another one. */
  async rest(): Promise<void> {
    await this.ask({ type: 'close' }, z.object({}))
    spares.push(this)
  }

  async ask<Answer>(asked: object, answer: z.ZodType<Answer>): Promise<Answer> {
    await this.#loaded
    if (this.#isGone) throw new Error('the process has died')
    const answered = this.#heard()
    this.#child.send(asked)
    const told = await answered
    const parsed = answer.safeParse(told)
    if (!parsed.success) throw new Error(`the process answers ${JSON.stringify(told)}`)
    return parsed.data
  }

  get #isGone(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  /** The next thing that it says. */
  #heard(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => fail('the process is silent'), PATIENCE_MS)
      const done = (): void => {
        clearTimeout(timer)
        this.#child.off('message', hear).off('exit', died)
      }
      const fail = (why: string): void => {
        done()
        reject(new Error(why))
      }
      const hear = (told: unknown): void => {
        done()
        resolve(told)
      }
      const died = (): void => fail('the process died')
      this.#child.once('message', hear).once('exit', died)
    })
  }

  /** Resolves when it is gone, of itself or by force. */
  async ended(): Promise<void> {
    if (!this.#isGone) await once(this.#child, 'exit')
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.ended()
  }
}

/** Ends the processes that wait for another world. */
export async function closeSpares(): Promise<void> {
  await Promise.all(spares.splice(0).map((spare) => spare.kill()))
}

/** The whole server in processes of its own: WebSockets, HTTP, LMDB, and death by SIGKILL. */
export class SocketSite implements Site {
  readonly players = new Map<Actor, Player>()
  readonly graceMs = 0
  readonly #setting: Setting
  readonly #folder = mkdtempSync(join(roomyFolder(), 'junqi-worlds-'))
  readonly #tokens = new Map<Actor, string>()
  readonly #wires = new Set<Wire>()
  readonly #writing = new Map<Line, Wire>()
  #process = WorldProcess.next()
  #port = 0
  #now = START
  #starts = 0
  #faults: readonly string[] = []

  private constructor(setting: Setting) {
    this.#setting = setting
  }

  static async open(setting: Setting): Promise<SocketSite> {
    invariant(setting.nodes === 1, 'LMDB has one node')
    const site = new SocketSite(setting)
    try {
      await site.#start()
      for (const actor of ACTORS) await site.#makeAccount(actor)
      return site
    } catch (error) {
      await site.close()
      throw error
    }
  }

  now(): number {
    return this.#now
  }

  advance(milliseconds: number): Promise<void> {
    return this.#settle(milliseconds)
  }

  async open(actor: Actor, _other: number, hear: (frame: Frame) => void): Promise<Line> {
    const frames = new FrameReader(hear)
    const wire = await this.#dial((data) => frames.read(data))
    wire.write(handshake(this.#tokens.get(actor) ?? ''))
    await this.#settle(0)
    wire.write(clientFrame(JSON.stringify({ type: 'hello', id: 'hello', client: 'worlds' })))
    await this.#settle(0)
    const line: Line = {
      say: async (message) => {
        wire.write(clientFrame(JSON.stringify(message)))
        await this.#settle(0)
      },
      close: async () => {
        this.#writing.delete(line)
        wire.cut()
        await this.#settle(0)
      },
    }
    this.#writing.set(line, wire)
    return line
  }

  async request(actor: Actor, about: Request): Promise<readonly string[]> {
    const id = this.players.get(actor)?.id
    invariant(id !== undefined, `nobody is ${actor}`)
    const answers: string[] = []
    for (const ask of httpAsks(id, about)) {
      const answer = await this.#http(ask, this.#tokenFor(actor, ask))
      answers.push(`${ask.method} ${ask.path} as ${ask.as}\n${answer}`)
    }
    await this.#settle(0)
    return answers
  }

  /** By SIGKILL, sent from outside or at the very append that a message leads to. */
  async restart(death: Death | null): Promise<void> {
    const wire = death === null ? undefined : this.#writing.get(death.line)
    if (death === null || wire === undefined) await this.#process.kill()
    else {
      await this.#process.ask({ type: 'die', when: death.when }, z.object({}))
      wire.write(clientFrame(JSON.stringify(death.message)))
      await this.#process.ended()
    }
    for (const open of this.#wires) open.cut()
    this.#wires.clear()
    this.#writing.clear()
    this.#process = WorldProcess.next()
    await this.#start()
  }

  check(): void {
    const [fault] = this.#faults
    invariant(fault === undefined, fault ?? '')
  }

  async close(): Promise<void> {
    for (const wire of this.#wires) wire.cut()
    await this.#process.rest().catch(() => this.#process.kill())
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #start(): Promise<void> {
    const { seed, layout = null } = this.#setting
    this.#starts += 1
    const asked = {
      type: 'open',
      folder: this.#folder,
      now: this.#now,
      seed: seed + this.#starts,
      layout,
      env: ENV,
    }
    const { port } = await this.#process.ask(asked, opened)
    this.#port = port
  }

  async #makeAccount(actor: Actor): Promise<void> {
    const bot = botLevelOf(actor, this.#setting.bots)
    const body = JSON.stringify({ name: actor, ...(bot !== undefined && { bot }) })
    const ask: HttpAsk = { method: 'POST', path: '/v1/guests', as: 'player', body }
    const answer = await this.#http(ask, bot === undefined ? null : BOT_KEY)
    const { token, ...player }: Account['player'] & { token: string } = guest.parse(
      JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))),
    )
    this.players.set(actor, player)
    this.#tokens.set(actor, token)
  }

  #tokenFor(actor: Actor, { as }: HttpAsk): string | null {
    if (as === 'nobody') return null
    const token = this.#tokens.get(actor) ?? ''
    return as === 'player' ? token : `${token.slice(0, 13)}${'A'.repeat(43)}`
  }

  /** The whole answer, with the library's own date by its form alone: its clock is none that can be set. */
  async #http({ method, path, body }: HttpAsk, token: string | null): Promise<string> {
    const parts: Buffer[] = []
    const wire = await this.#dial((data) => parts.push(data))
    const lines = [
      `${method} ${path} HTTP/1.1`,
      'host: localhost',
      'connection: close',
      ...(token === null ? [] : [`authorization: Bearer ${token}`]),
      ...(body === undefined
        ? []
        : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]),
    ]
    wire.write(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`)
    await wire.closed()
    this.#wires.delete(wire)
    return `${Buffer.concat(parts)}`.replace(LIBRARY_DATE, '\r\nDate: (as HTTP writes it)\r\n')
  }

  async #dial(hear: (data: Buffer) => void): Promise<Wire> {
    const wire = await Wire.open(this.#port, hear)
    this.#wires.add(wire)
    return wire
  }

  /** Lets time pass, until nothing moves in the server and everything that it wrote has come. */
  async #settle(advance: number): Promise<void> {
    for (const wire of this.#wires) if (!wire.isOpen) this.#wires.delete(wire)
    const sockets = [...this.#wires].map(({ port, written }) => [port, written])
    const { now, written, faults } = await this.#process.ask(
      { type: 'settle', advance, sockets },
      settled,
    )
    this.#now = now
    this.#faults = faults
    const bytes = new Map(written)
    await Promise.all([...this.#wires].map((wire) => wire.received(bytes.get(wire.port) ?? 0)))
  }
}

const LIBRARY_DATE =
  /\r\ndate: (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT\r\n/i

const handshake = (token: string): string =>
  [
    'GET /v1/ws HTTP/1.1',
    'host: localhost',
    'connection: Upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
    'sec-websocket-protocol: junqi.v1',
    `authorization: Bearer ${token}`,
    '\r\n',
  ].join('\r\n')

/** In memory where there is such a folder: what is asked here is not what survives a loss of power. */
function roomyFolder(): string {
  return existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
}
