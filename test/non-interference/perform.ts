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
import { anyProbe, changesGame } from './probe.ts'
import { below, chance, pick, type Random, seededRandom } from './random.ts'
import type { Act, Script } from './script.ts'
import type { Setup } from './setup.ts'
import { ACTORS, type Actor, type Ask, isOfType, playerOf, Table, type Watch } from './table.ts'

/** What both runs of a pair have in common. */
export interface Plan {
  readonly seed: number
  readonly request: {
    readonly preset: PresetName
    readonly options: RuleOptions
    readonly private: boolean
  }
  readonly ruleSet: RuleSet
  /** Over which it is played. */
  readonly nodes: number
}

/** What is the run's own, and nobody's business but that of the seats which it is about. */
export interface Secrets {
  readonly setup: Setup
  /** By what each seat saves drafts, lays out other formations, pries and looks, as it pleases. */
  readonly whims: BySeat<number>
}

/** Which game is played, once it is known who begins. */
export type ScriptOf = (first: Seat) => Script

export interface Performance {
  /** Everything that reached each actor, up to the last act before the end of the game. */
  readonly seen: ReadonlyMap<Actor, readonly string[]>
  /** All formations that each seat laid out before play. */
  readonly laidOut: ReadonlyMap<Seat, readonly Formation[]>
}

/** Plays one run on the real rooms, from making the room to the script's last act. */
export async function perform(
  plan: Plan,
  secrets: Secrets,
  { scriptOf, watch }: { readonly scriptOf: ScriptOf; readonly watch?: Watch },
): Promise<Performance> {
  const { seed, nodes } = plan
  const { layout } = secrets.setup
  const table = await Table.open(seed, { nodes, watch, ...(layout && { deal: () => layout }) })
  const run = new Run(table, plan, secrets)
  await run.lobby()
  if (layout === undefined) await run.deployment()
  await run.play(scriptOf)
  await table.close()
  const seen = new Map(ACTORS.map((actor) => [actor, table.seenBy(actor)]))
  return { seen, laidOut: run.laidOut }
}

class Run {
  readonly #table: Table
  readonly #plan: Plan
  readonly #secrets: Secrets
  /** Decides what is the same in both runs; never asked about anything that is not. */
  readonly #shared: Random
  readonly #whims: BySeat<Random>
  readonly #host: Seat
  readonly laidOut = new Map<Seat, Formation[]>()

  constructor(table: Table, plan: Plan, secrets: Secrets) {
    this.#table = table
    this.#plan = plan
    this.#secrets = secrets
    this.#shared = seededRandom(plan.seed + 2)
    this.#whims = bySeat((seat) => seededRandom(secrets.whims[seat]))
    this.#host = pick(this.#shared, this.#seats) ?? 'south'
  }

  get #seats(): readonly Seat[] {
    return this.#plan.ruleSet.seats
  }

  async lobby(): Promise<void> {
    const [table, host] = [this.#table, this.#host]
    const { request } = this.#plan
    await table.createRoom(host, { ...request, options: {} })
    await table.subscribe('spectator', null)
    for (const [n, seat] of this.#shuffled(this.#seats).entries()) {
      if (seat !== host) await table.subscribe(seat, null)
      const other = this.#seats.find((another) => another !== seat)
      if (n === 0 && other !== undefined) await this.#does(seat, { type: 'sit', seat: other })
      await this.#does(seat, { type: 'sit', seat })
      if (chance(this.#shared, 0.3)) await this.#look()
    }
    await this.#does(host, {
      type: 'setRules',
      preset: request.preset,
      options: request.options,
    })
    await this.#comingsAndGoings()
    await this.#begin()
    if (chance(this.#shared, 0.2) && !isFlipGame(this.#plan.ruleSet)) {
      const seat = pick(this.#shared, this.#seats) ?? host
      await this.#drafts(seat)
      await this.#does(seat, { type: 'stand' })
      await this.#does(seat, { type: 'sit', seat })
      await this.#begin()
    }
  }

  /** Seats are swapped, and swapped back; somebody goes, and comes again. */
  async #comingsAndGoings(): Promise<void> {
    const [one, other] = this.#shuffled(this.#seats)
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
    const guestId = playerOf(guest).id
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
      await this.#interlude(act.before)
      await this.#act(act)
      if (n === restart) await this.#restart()
    }
    await this.#rematch(acts)
    for (const actor of ACTORS) {
      await this.#table.look(actor, null)
      await this.#table.request(actor)
    }
  }

  /** After the end, whoever has not left can ask for the next game. */
  async #rematch(acts: readonly Act[]): Promise<void> {
    if (!acts.at(-1)?.events.some(({ type }) => type === 'gameEnded')) return
    const left = acts.flatMap(({ command }) => (command.type === 'leave' ? [command.seat] : []))
    const seat = this.#seats.find((one) => !left.includes(one))
    if (seat !== undefined) await this.#does(seat, { type: 'rematch' })
  }

  /** What happens beside the game: looks, probes, connections that come and go. */
  async #interlude(state: GameState): Promise<void> {
    if (chance(this.#shared, 0.08)) await this.#look()
    if (chance(this.#shared, 0.25)) await this.#probe(state, pick(this.#shared, ACTORS) ?? 'south')
    if (chance(this.#shared, 0.02)) {
      const actor = pick(this.#shared, ACTORS) ?? 'south'
      this.#table.disconnect(actor)
      await this.#pause(3_000)
      await this.#rejoin(actor)
    }
    for (const seat of this.#seats) {
      const whim = this.#whims[seat]
      if (chance(whim, 0.05)) await this.#probe(state, seat, whim)
      if (chance(whim, 0.03)) await this.#table.look(seat, below(whim, this.#table.version + 2))
      if (chance(whim, 0.02)) await this.#table.request(seat)
    }
  }

  async #probe(state: GameState, actor: Actor, random = this.#shared): Promise<void> {
    const occasion = { state, actor, host: playerOf(this.#host).id }
    const [ask, isRepeated] = [anyProbe(occasion, random), chance(random, 0.1)]
    if (isRepeated) await this.#table.repeat(actor)
    else if (!changesGame(occasion, ask)) await this.#table.ask(actor, ask)
  }

  async #act({ command, pauseMs, before }: Act): Promise<void> {
    const { turn } = before
    await this.#pause(pauseMs)
    switch (command.type) {
      case 'timeout':
        return this.#table.passDeadline()
      case 'movePiece':
        return this.#does(command.seat, { type: 'move', turn, from: command.from, to: command.to })
      case 'flipPiece':
        return this.#does(command.seat, { type: 'flip', turn, space: command.space })
      case 'resign':
        return this.#does(command.seat, { type: 'resign', turn })
      case 'leave':
      case 'offerDraw':
        return this.#does(command.seat, { type: command.type })
      case 'answerDraw': {
        const { offer, accept } = command
        return this.#does(command.seat, { type: 'answerDraw', offer, accept })
      }
    }
  }

  async #restart(): Promise<void> {
    await this.#table.restart()
    for (const actor of ACTORS) await this.#rejoin(actor)
    await this.#look()
  }

  async #rejoin(actor: Actor): Promise<void> {
    this.#table.connect(actor)
    const since = chance(this.#shared, 0.5) ? null : this.#anyVersion()
    if (actor !== 'stranger') await this.#table.subscribe(actor, since)
  }

  /** Everyone, or one, looks at the room by all ways there are. */
  async #look(): Promise<void> {
    const only = pick(this.#shared, ACTORS)
    const actors = chance(this.#shared, 0.2) ? ACTORS : ACTORS.filter((actor) => actor === only)
    for (const actor of actors) {
      await this.#table.look(actor, chance(this.#shared, 0.3) ? null : this.#anyVersion())
      if (chance(this.#shared, 0.3)) await this.#table.request(actor)
    }
  }

  /** A seat tries formations, as often as it likes. */
  async #drafts(seat: Seat): Promise<void> {
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
    const answer = await this.#table.ask(actor, ask)
    invariant(!isOfType(answer, 'error'), `${actor}: ${JSON.stringify(ask)}: ${answer}`)
  }

  /** Lets time pass, but no deadline. */
  async #pause(milliseconds: number): Promise<void> {
    const left = (this.#table.until ?? Number.POSITIVE_INFINITY) - this.#table.clock.now()
    await this.#table.clock.advance(Math.max(0, Math.min(milliseconds, left - 1)))
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
