import { isDeepStrictEqual } from 'node:util'
import {
  type BySeat,
  bySeat,
  type Formation,
  type GameState,
  invariant,
  isFlipGame,
  type PresetName,
  type RuleOptions,
  type RuleSet,
  randomFormation,
  type Seat,
} from '@junqi/engine'
import { CHANNELS, type Channel, type Spectators } from '@junqi/protocol'
import { commandOf } from '../../packages/bots/src/play-game.ts'
import { type Bots, botAction } from './bots.ts'
import { anyProbe, changesGame } from './probe.ts'
import { below, chance, pick, type Random, seededRandom } from './random.ts'
import { type Act, endOf, type Script } from './script.ts'
import type { Setup } from './setup.ts'
import { type Actor, type OpenSite, VIEWERS } from './site.ts'
import { type Ask, type Asked, decoded, type Heard, isOfType, Table, type Watch } from './table.ts'

/** What both runs of a pair have in common. */
export interface Plan {
  readonly seed: number
  readonly request: {
    readonly preset: PresetName
    readonly options: RuleOptions
    readonly private: boolean
    readonly spectators?: Spectators
  }
  readonly ruleSet: RuleSet
  /** Over which it is played. */
  readonly nodes: number
  /** The seats where bots sit; none unless it says otherwise. */
  readonly bots?: Bots
  /** What happens beside the game. */
  readonly beside: ReadonlySet<Beside>
}

/** Everything of which a run may have less, and still be a game. */
const ALL_BESIDE = [
  'looks',
  'requests',
  'probes',
  'gaps',
  'crash',
  'talk',
  'whims',
  'tables',
  'earlier',
  'seating',
  'drafts',
] as const
export type Beside = (typeof ALL_BESIDE)[number]
export const BESIDE: ReadonlySet<Beside> = new Set(ALL_BESIDE)

/** What is the run's own, and nobody's business but that of the seats which it is about. */
export interface Secrets {
  readonly setup: Setup
  /** By what each seat saves drafts, lays out other formations, pries and looks, as it pleases. */
  readonly whims: BySeat<number>
  /** null: allies say nothing to each other, and nobody plays elsewhere. */
  readonly asides: Asides | null
}

export interface Asides {
  /** By what each seat talks to its ally. */
  readonly talk: BySeat<number>
  /** By what somebody makes private tables. */
  readonly tables: number
}

/** Which game is played, once it is known who begins. */
export type ScriptOf = (first: Seat) => Script

export interface Performance {
  /** Everything that reached each viewer. */
  readonly seen: ReadonlyMap<Actor, readonly Heard[]>
  /** All formations that each seat laid out before play. */
  readonly laidOut: ReadonlyMap<Seat, readonly Formation[]>
  /** What was said among allies, and done at other tables. */
  readonly apart: readonly string[]
  /** The acts of the script that a bot would not have done, by what it was told. */
  readonly strayed: readonly number[]
}

export interface Stage {
  readonly openSite: OpenSite
  readonly scriptOf: ScriptOf
  readonly watch?: Watch
}

/** Plays one run on the real rooms, from making the room to the script's last act. */
export async function perform(
  plan: Plan,
  secrets: Secrets,
  { openSite, scriptOf, watch }: Stage,
): Promise<Performance> {
  const { seed, nodes, bots = {} } = plan
  const { layout } = secrets.setup
  const site = await openSite({ seed, nodes, layout, bots })
  try {
    const table = await Table.open(site, watch)
    const run = new Run(table, plan, secrets)
    await run.lobby()
    if (layout === undefined) await run.deployment()
    await run.play(scriptOf)
    await table.close()
    const seen = new Map(VIEWERS.map((actor) => [actor, table.seenBy(actor)]))
    return { seen, laidOut: run.laidOut, apart: run.apart, strayed: run.strayed }
  } finally {
    await site.close()
  }
}

class Run {
  readonly #table: Table
  readonly #plan: Plan
  readonly #secrets: Secrets
  /** Decides what is the same in both runs; never asked about anything that is not. */
  readonly #shared: Random
  readonly #whims: BySeat<Random>
  readonly #talk: BySeat<Random> | null
  readonly #tables: Random | null
  readonly #host: Seat
  readonly laidOut = new Map<Seat, Formation[]>()
  readonly apart: string[] = []
  readonly strayed: number[] = []

  constructor(table: Table, plan: Plan, secrets: Secrets) {
    this.#table = table
    this.#plan = plan
    this.#secrets = secrets
    this.#shared = seededRandom(plan.seed + 2)
    this.#whims = bySeat((seat) => seededRandom(secrets.whims[seat]))
    const { asides } = secrets
    this.#talk = asides && bySeat((seat) => seededRandom(asides.talk[seat]))
    this.#tables = asides && seededRandom(asides.tables)
    this.#host = pick(this.#shared, this.#people) ?? 'south'
  }

  get #seats(): readonly Seat[] {
    return this.#plan.ruleSet.seats
  }

  get #people(): readonly Seat[] {
    return this.#seats.filter((seat) => this.#plan.bots?.[seat] === undefined)
  }

  async lobby(): Promise<void> {
    const [table, host] = [this.#table, this.#host]
    const { request } = this.#plan
    table.note('lobby')
    await table.createRoom(host, { ...request, options: {} })
    await table.subscribe('spectator', null)
    await table.subscribe('bot', null)
    await table.watchLobby('stranger')
    if (this.#has('earlier')) await this.#earlierGame()
    for (const [n, seat] of this.#shuffled(this.#people).entries()) {
      if (seat !== host) await table.subscribe(seat, null)
      const other = this.#people.find((another) => another !== seat)
      if (n === 0 && other !== undefined) await this.#does(seat, { type: 'sit', seat: other })
      await this.#does(seat, { type: 'sit', seat })
      if (chance(this.#shared, 0.3)) await this.#look()
    }
    await this.#addBots()
    await this.#does(host, {
      type: 'setRules',
      preset: request.preset,
      options: request.options,
    })
    if (this.#has('seating') && this.#people.length > 1) await this.#comingsAndGoings()
    await this.#begin()
    if (chance(this.#shared, 0.2) && !isFlipGame(this.#plan.ruleSet)) {
      const seat = pick(this.#shared, this.#people) ?? host
      await this.#drafts(seat)
      await this.#does(seat, { type: 'stand' })
      await this.#does(seat, { type: 'sit', seat })
      await this.#begin()
    }
  }

  /** By the host, to whom the only one that waits is given. */
  async #addBots(): Promise<void> {
    for (const seat of this.#seats) {
      const level = this.#plan.bots?.[seat]
      if (level === undefined) continue
      await this.#does(this.#host, { type: 'addBot', seat, level })
      await this.#table.subscribe(seat, null)
    }
  }

  /** Two of them have played before, so that archive and scores have something to tell. */
  async #earlierGame(): Promise<void> {
    const [one = 'south', other = 'north'] = this.#seats
    const random = seededRandom(this.#plan.seed + 3)
    await this.#table.playGameElsewhere([one, other], { private: false, options: {} }, random)
  }

  /** Seats are swapped, and swapped back; somebody goes, and comes again. */
  async #comingsAndGoings(): Promise<void> {
    const [one, other] = this.#shuffled(this.#people)
    invariant(one !== undefined && other !== undefined, 'a game has two seats')
    const pairs = [
      [one, other, other],
      [one, other, one],
    ] as const
    for (const [n, [by, to, seat]] of pairs.entries()) {
      await this.#does(by, { type: 'requestSwap', seat })
      await this.#does(to, { type: 'answerSwap', swap: n + 1, accept: true })
    }
    await this.#does(other, { type: 'requestSwap', seat: one })
    await this.#does(one, { type: 'answerSwap', swap: 3, accept: false })
    const guest = one === this.#host ? other : one
    const guestId = this.#table.playerId(guest)
    await this.#does(guest, { type: 'ready' })
    await this.#does(guest, { type: 'notReady' })
    if (chance(this.#shared, 0.5)) await this.#does(guest, { type: 'stand' })
    else await this.#does(this.#host, { type: 'removePlayer', player: guestId })
    await this.#table.subscribe(guest, null)
    await this.#does(guest, { type: 'sit', seat: guest })
  }

  async #begin(): Promise<void> {
    for (const seat of this.#shuffled(this.#seats)) await this.#does(seat, { type: 'ready' })
    await this.#look()
    await this.#does(this.#host, { type: 'start' })
  }

  /** Every seat ends with its formation: handed in, or as the last draft when time is up (R-DEPLOY-7). */
  async deployment(): Promise<void> {
    this.#table.note('deployment')
    const isTimedOut = chance(this.#shared, 0.3)
    const seats = this.#shuffled(this.#seats)
    for (const seat of seats) {
      await this.#drafts(seat)
      if (chance(this.#shared, 0.3)) {
        await this.#layOut(seat, 'submitFormation')
        await this.#look()
        await this.#pause(5_000)
        await this.#does(seat, { type: 'notReady' })
      }
    }
    for (const seat of seats) {
      await this.#drafts(seat)
      const isLate = isTimedOut && (seat === seats.at(-1) || chance(this.#shared, 0.3))
      await this.#layOut(
        seat,
        isLate ? 'saveDraft' : 'submitFormation',
        this.#secrets.setup.formations[seat],
      )
      if (chance(this.#shared, 0.3)) await this.#look()
      await this.#pause(2_000)
    }
    if (isTimedOut) await this.#table.passDeadline()
  }

  async play(scriptOf: ScriptOf): Promise<void> {
    const first = this.#table.first
    invariant(first !== null, 'play has not begun')
    const script = scriptOf(first)
    invariant(script.first === first, 'the two runs begin alike')
    const { acts } = script
    const restart = chance(this.#shared, 0.5) ? below(this.#shared, acts.length) : acts.length - 1
    for (const [n, act] of acts.entries()) {
      this.#table.note(JSON.stringify(act.command), n)
      await this.#interlude(act.before)
      await this.#decides(act, n)
      if (n === restart && this.#has('crash')) await this.#crash(act)
      else await this.#act(act)
    }
    this.#table.note('after the last act')
    if (endOf(script) !== null) await this.#afterEnd(acts)
    for (const actor of VIEWERS) {
      await this.#table.look(actor, null)
      await this.#table.request(actor, this.#shared)
    }
    await this.#table.request(pick(this.#shared, VIEWERS) ?? 'spectator')
  }

  #has(beside: Beside): boolean {
    return this.#plan.beside.has(beside)
  }

  /** Some come anew, or say something; and whoever has not left can ask for the next game. */
  async #afterEnd(acts: readonly Act[]): Promise<void> {
    await this.#table.advance(5_000)
    await this.#look()
    if (this.#has('talk')) await this.#remark()
    if (this.#has('gaps')) {
      const actor = pick(this.#shared, VIEWERS) ?? 'south'
      await this.#table.disconnect(actor)
      await this.#rejoin(actor)
    }
    const left = acts.flatMap(({ command }) => (command.type === 'leave' ? [command.seat] : []))
    const seat = this.#seats.find((one) => !left.includes(one))
    if (seat !== undefined) await this.#does(seat, { type: 'rematch' })
  }

  /** What happens beside the game: looks, probes, talk, connections that come and go. */
  async #interlude(state: GameState): Promise<void> {
    if (chance(this.#shared, 0.08)) await this.#look()
    if (chance(this.#shared, 0.25) && this.#has('probes')) {
      await this.#probe(state, pick(this.#shared, VIEWERS) ?? 'south')
    }
    if (chance(this.#shared, 0.05) && this.#has('talk')) await this.#remark()
    if (chance(this.#shared, 0.02) && this.#has('gaps')) {
      const actor = pick(this.#shared, VIEWERS) ?? 'south'
      await this.#table.disconnect(actor)
      await this.#pause(3_000)
      await this.#rejoin(actor)
    }
    for (const seat of this.#seats) await this.#asPleases(state, seat)
    if (this.#tables !== null && chance(this.#tables, 0.03) && this.#has('tables')) {
      await this.#elsewhere(this.#tables)
    }
  }

  /** At private tables, of which nobody here is to learn; a friendly game changes nobody's score. */
  async #elsewhere(random: Random): Promise<void> {
    this.apart.push('elsewhere')
    if (chance(random, 0.6)) return this.#table.playElsewhere('outsider', random)
    const request = { private: true, options: { scoring: 'none' } } as const
    await this.#table.playGameElsewhere(['outsider', 'accomplice'], request, random)
  }

  /** What a seat does that no enemy is to learn of. */
  async #asPleases(state: GameState, seat: Seat): Promise<void> {
    const [whim, talk] = [this.#whims[seat], this.#talk?.[seat]]
    if (this.#has('whims')) {
      if (chance(whim, 0.05)) await this.#probe(state, seat, whim)
      if (chance(whim, 0.03)) await this.#table.look(seat, below(whim, this.#table.version + 2))
      if (chance(whim, 0.02)) await this.#table.request(seat, whim, false)
    }
    if (talk !== undefined && chance(talk, 0.05) && this.#has('talk')) {
      await this.#say(seat, 'alliance', talk)
    }
  }

  /** Anybody says something, in any channel. */
  async #remark(): Promise<void> {
    const actor = pick(this.#shared, VIEWERS) ?? 'south'
    await this.#say(actor, pick(this.#shared, CHANNELS), this.#shared)
  }

  async #say(actor: Actor, channel: Channel, random: Random): Promise<void> {
    const text = 'x'.repeat(1 + below(random, 200))
    if (channel === 'alliance') this.apart.push(`${actor}: ${text}`)
    await this.#table.ask(actor, { type: 'say', channel, text })
  }

  async #probe(state: GameState, actor: Actor, random = this.#shared): Promise<void> {
    const occasion = { state, actor, host: this.#table.playerId(this.#host) }
    const [ask, isRepeated] = [anyProbe(occasion, random), chance(random, 0.1)]
    if (isRepeated) await this.#table.repeat(actor)
    else if (!changesGame(occasion, ask)) await this.#table.ask(actor, ask)
  }

  /** Whether the bot whose act it is would do the same, by what it is told when it comes anew; it remembers nothing. */
  async #decides({ command }: Act, n: number): Promise<void> {
    const { seat } = command
    const level = this.#plan.bots?.[seat]
    if (level === undefined) return
    const frames = await this.#table.look(seat, null)
    const told = decoded(frames.find((frame) => isOfType(frame, 'snapshot')) ?? '')
    invariant(told.type === 'snapshot' && told.view.game !== null, 'a bot sees its game')
    const { game, history, rules } = told.view
    const action = botAction(level, { ruleSet: rules.ruleSet, seat, view: game, history })
    this.#table.decided(seat, JSON.stringify(action))
    const isSame = action !== null && isDeepStrictEqual(commandOf(seat, action), command)
    if (!isSame) this.strayed.push(n)
  }

  async #act(act: Act): Promise<void> {
    await this.#pause(act.pauseMs)
    this.#noteEnd(act)
    const asked = askedBy(act)
    if (asked === null) await this.#table.passDeadline()
    else await this.#does(asked.actor, asked.ask)
  }

  /** The server dies before an act or in the middle of it, and comes back. */
  async #crash(act: Act): Promise<void> {
    await this.#pause(act.pauseMs)
    const asked = chance(this.#shared, 0.7) ? askedBy(act) : null
    const when = chance(this.#shared, 0.5) ? 'before' : 'after'
    if (asked !== null && when === 'after') this.#noteEnd(act)
    const sendAgain = await this.#table.crash(asked, when)
    for (const actor of VIEWERS) await this.#rejoin(actor)
    await this.#look()
    this.#noteEnd(act)
    if (asked === null) await this.#act({ ...act, pauseMs: 0 })
    else succeeded(await sendAgain(), asked)
  }

  #noteEnd({ events }: Act): void {
    if (events.some(({ type }) => type === 'gameEnded')) this.#table.noteEnd()
  }

  async #rejoin(actor: Actor): Promise<void> {
    await this.#table.connect(actor)
    const since = chance(this.#shared, 0.5) ? null : this.#anyVersion()
    if (actor !== 'stranger') await this.#table.subscribe(actor, since)
    if (chance(this.#shared, 0.1)) await this.#table.watchLobby(actor)
  }

  /** Everyone, or one, looks at the room by all ways there are. */
  async #look(): Promise<void> {
    const only = pick(this.#shared, VIEWERS)
    const actors = chance(this.#shared, 0.2) ? VIEWERS : VIEWERS.filter((actor) => actor === only)
    for (const actor of actors) {
      const since = chance(this.#shared, 0.3) ? null : this.#anyVersion()
      if (this.#has('looks')) await this.#table.look(actor, since)
      if (chance(this.#shared, 0.3) && this.#has('requests')) {
        await this.#table.request(actor, this.#shared)
      }
    }
  }

  /** A seat tries formations, as often as it likes. */
  async #drafts(seat: Seat): Promise<void> {
    if (!this.#has('drafts')) return
    const whim = this.#whims[seat]
    const count = below(whim, 3)
    for (let n = 0; n < count; n++) await this.#layOut(seat, 'saveDraft')
    if (chance(whim, 0.2)) {
      await this.#table.ask(seat, { type: 'saveDraft', formation: '9'.repeat(25) })
    }
  }

  async #layOut(
    seat: Seat,
    type: 'saveDraft' | 'submitFormation',
    formation = randomFormation(this.#plan.ruleSet, this.#whims[seat]),
  ): Promise<void> {
    this.laidOut.set(seat, [...(this.laidOut.get(seat) ?? []), formation])
    await this.#does(seat, { type, formation })
  }

  /** A command that the room must accept. */
  async #does(actor: Actor, ask: Ask): Promise<void> {
    succeeded(await this.#table.ask(actor, ask), { actor, ask })
  }

  /** Lets time pass, but no deadline. */
  async #pause(milliseconds: number): Promise<void> {
    const left = (this.#table.until ?? Number.POSITIVE_INFINITY) - this.#table.now()
    await this.#table.advance(Math.max(0, Math.min(milliseconds, left - 1)))
  }

  #anyVersion(): number {
    return below(this.#shared, this.#table.version + 3)
  }

  #shuffled<T>(items: readonly T[]): readonly T[] {
    return items
      .map((item) => ({ item, at: this.#shared() }))
      .sort((one, other) => one.at - other.at)
      .map(({ item }) => item)
  }
}

const succeeded = (answer: string, asked: Asked): void =>
  invariant(!isOfType(answer, 'error'), `${JSON.stringify(asked)}: ${answer}`)

/** What somebody has to say for an act to happen; null: nothing, its time runs out. */
function askedBy({ command, before }: Act): Asked | null {
  const { turn } = before
  switch (command.type) {
    case 'timeout':
      return null
    case 'movePiece': {
      const { seat, from, to } = command
      return { actor: seat, ask: { type: 'move', turn, from, to } }
    }
    case 'flipPiece':
      return { actor: command.seat, ask: { type: 'flip', turn, space: command.space } }
    case 'resign':
      return { actor: command.seat, ask: { type: 'resign', turn } }
    case 'leave':
    case 'offerDraw':
      return { actor: command.seat, ask: { type: command.type } }
    case 'answerDraw': {
      const { seat, offer, accept } = command
      return { actor: seat, ask: { type: 'answerDraw', offer, accept } }
    }
  }
}
