import { type Accepted, type Refusal, verifyGame } from '@junqi/client'
import {
  applyCommand,
  assertNever,
  commandOf,
  type Formation,
  type GameCommand,
  type GameRecord,
  type GameState,
  invariant,
  newGame,
  type PerSeat,
  type Result,
  readJgs,
  seatsIn,
  startOf,
  type Viewer,
  writeJgs,
} from '@junqi/engine'
import type { Invitation, RoomId } from '@junqi/protocol'
import { inputFailure } from '../failure.ts'
import { differenceOf } from './difference.ts'
import type { EntryEvents } from './expected-log.ts'
import { type Member, type Play, refused } from './member.ts'
import { fetchJgs, fetchRecord } from './server-record.ts'

type Answer = Promise<Result<Accepted, Refusal>>
type SeatCommand = Exclude<GameCommand, { readonly type: 'agreeDraw' }>

/** One entry of the room's log: why it comes, what it must hold, and who asks for it (null: time does). */
interface Step extends EntryEvents {
  readonly cause: string
  readonly by: Viewer
  readonly ask: ((member: Member) => Answer) | null
}

/** A room and who is in it. What a step must lead to is known before the server is asked for it. */
export class Table {
  readonly #record: GameRecord
  readonly #members: readonly Member[]
  readonly #play: Play
  /** Who has entered the room so far. */
  readonly #present: Member[] = []

  constructor(record: GameRecord, members: readonly Member[], play: Play) {
    this.#record = record
    this.#members = members
    this.#play = play
  }

  /** A private room, so that no stranger sits down in it; the spectator is its host. */
  async open(): Promise<void> {
    const { preset, options } = this.#record.rules
    const host = this.#at('spectator')
    const made = await this.#take({
      cause: 'the room',
      by: 'spectator',
      ask: () => host.createRoom({ preset, options, private: true }),
    })
    const room = made?.room ?? null
    if (room === null) throw inputFailure('the server did not name the room that it made')
    await host.enter(room, null)
    this.#present.push(host)
    const invitation = host.room.view?.invitation ?? null
    for (const member of this.#members) {
      if (member !== host) await this.#join(member, room, invitation)
    }
  }

  async #join(member: Member, room: RoomId, invitation: Invitation | null): Promise<void> {
    const { id, name } = member.guest
    const cause = `${member.viewer} joins`
    this.#play.log.expect(cause, { table: [{ type: 'memberJoined', player: { id, name } }] })
    await member.enter(room, invitation)
    this.#present.push(member)
    await this.#settle(cause)
  }

  /** Everyone sits down, the game is started, and the formations are handed in. */
  async start(): Promise<void> {
    const { ruleSet, started } = startOf(this.#record)
    for (const seat of ruleSet.seats) {
      const { id, name } = this.#at(seat).guest
      await this.#take({
        cause: `${seat} sits down`,
        by: seat,
        ask: ({ room }) => room.sit(seat),
        table: [{ type: 'seatTaken', seat, player: { id, name } }],
      })
      await this.#take({
        cause: `${seat} is ready`,
        by: seat,
        ask: ({ room }) => room.ready(),
        table: [{ type: 'readyChanged', seat, ready: true }],
      })
    }
    const { formations } = this.#record
    await this.#take({
      cause: 'the start',
      by: 'spectator',
      ask: ({ room }) => room.start(),
      // Nobody deploys in a flip game.
      ...(formations === undefined
        ? { game: [started] }
        : { table: [{ type: 'deploymentStarted' }] }),
    })
    if (formations !== undefined) await this.#deploy(formations)
  }

  async #deploy(formations: PerSeat<Formation>): Promise<void> {
    const { ruleSet, started } = startOf(this.#record)
    for (const seat of ruleSet.seats) {
      const formation = formations[seat] ?? ''
      await this.#take({
        cause: `the formation of ${seat}`,
        by: seat,
        ask: ({ room }) => room.submitFormation(formation),
        table: [{ type: 'readyChanged', seat, ready: true }],
        game: seat === ruleSet.seats.at(-1) ? [started] : [],
      })
    }
  }

  async playActions(onAction: (n: number) => void): Promise<void> {
    const { ruleSet, started } = startOf(this.#record)
    let game = newGame(ruleSet, started)
    for (const [index, action] of this.#record.actions.entries()) {
      onAction(index + 1)
      for (const command of commandsOf(game, action)) {
        const applied = applyCommand(game, command)
        invariant(applied.ok, `action ${index + 1} of a sound record is legal`)
        await this.#take({
          cause: `action ${index + 1} (${action})`,
          by: command.seat,
          ask: askFor(command),
          game: applied.value.events,
        })
        game = applied.value.state
      }
    }
  }

  /** What each server gives out as the record of the ended game. */
  async checkRecords(): Promise<void> {
    const sealed: GameRecord = { ...this.#record, seal: this.#play.log.seal.whole }
    checkSeal(sealed)
    for (const server of new Set(this.#members.map((member) => member.server))) {
      const reader = this.#members.find((member) => member.server === server)
      if (reader === undefined) continue
      const what = `the record of ${server}`
      const asked = fetchRecord(server, reader.room.id, reader.guest.token)
      const difference = differenceOf(sealed, await this.#play.patience.wait(asked, what))
      if (difference !== null) throw inputFailure(`${what}: ${difference}`)
      await this.#checkJgs(reader)
    }
  }

  /** Read again, a `.jgs` tells the same game; there is none of a game that one cannot tell. */
  async #checkJgs({ server, room, guest }: Member): Promise<void> {
    const what = `the .jgs of ${server}`
    const bytes = await this.#play.patience.wait(fetchJgs(server, room.id, guest.token), what)
    const expected = writeJgs(this.#record).ok ? toldOf(this.#record) : null
    const difference = differenceOf(expected, bytes && toldOf(recordIn(what, bytes)))
    if (difference !== null) throw inputFailure(`${what}: ${difference}`)
  }

  /** Asks for an entry, and waits until everyone has seen it. */
  async #take({ cause, by, ask, table = [], game = [] }: Step): Promise<Accepted | null> {
    this.#play.log.expect(cause, { table, game })
    const member = this.#at(by)
    const accepted = ask && (await this.#accepted(`${by}, ${cause}`, ask(member)))
    await this.#settle(cause)
    return accepted
  }

  async #accepted(what: string, answer: Answer): Promise<Accepted> {
    const { log, patience } = this.#play
    const result = await patience.wait(answer, what)
    if (!result.ok) throw refused(what, result.error)
    const difference = differenceOf(log.version, result.value.version)
    if (difference !== null) throw inputFailure(`${what}, version in the answer: ${difference}`)
    return result.value
  }

  /** Everyone is where the log is. */
  async #settle(cause: string): Promise<void> {
    const { log, patience } = this.#play
    for (const member of this.#present) {
      await patience.wait(member.reached(log.version), `${member.viewer}, ${cause}`)
    }
  }

  #at(viewer: Viewer): Member {
    const member = this.#members.find((each) => each.viewer === viewer)
    invariant(member !== undefined, `nobody is at ${viewer}`)
    return member
  }
}

function recordIn(what: string, bytes: Uint8Array): GameRecord {
  const read = readJgs(bytes)
  if (!read.ok) throw inputFailure(`${what}: ${read.error.message}`)
  return read.value
}

/** What was sealed at the start must be what was played. */
function checkSeal(record: GameRecord): void {
  const { findings } = verifyGame(record, null)
  const found = findings.find(({ flaw }) => flaw !== null)
  if (found !== undefined) throw inputFailure(`the seal, ${found.checked}: ${found.flaw?.code}`)
}

/** What a `.jgs` has of a game: its rules are QQ's. */
const toldOf = ({ formations, first, actions, result }: GameRecord) => ({
  formations,
  first,
  actions,
  result,
})

/** What seats must ask for so that an action of a record happens: a draw is offered by one and accepted by the others. */
function commandsOf(game: GameState, action: string): readonly SeatCommand[] {
  const command = commandOf(game, action)
  invariant(command !== null, 'a sound record holds actions')
  if (command.type !== 'agreeDraw') return [command]
  const offer = game.offers + 1
  return seatsIn(game.seats).map((seat, i) =>
    i === 0 ? { type: 'offerDraw', seat } : { type: 'answerDraw', seat, offer, accept: true },
  )
}

/** null: it comes by itself, in time. */
function askFor(command: SeatCommand): Step['ask'] {
  switch (command.type) {
    case 'timeout':
      return null
    case 'movePiece':
      return ({ room }) => room.move(command.from, command.to)
    case 'flipPiece':
      return ({ room }) => room.flip(command.space)
    case 'resign':
      return ({ room }) => room.resign()
    case 'leave':
      return ({ room }) => room.leave()
    case 'offerDraw':
      return ({ room }) => room.offerDraw()
    case 'answerDraw':
      return ({ room }) => room.answerDraw(command.offer, command.accept)
    default:
      return assertNever(command)
  }
}
