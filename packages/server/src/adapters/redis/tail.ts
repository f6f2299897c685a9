import type { Hints, RoomId } from '../../ports.ts'
import { type Keys, PARTITIONS, partitionOf } from './keys.ts'
import type { Link } from './link.ts'
import { integerOf, listOf, rankedOf, textOf } from './reply.ts'
import { MICROS, makeScript } from './script.ts'

/** Seconds for which a touched room is remembered. */
const REMEMBERED = 60
/** Microseconds that each look goes back beyond the last one: clocks may be set, and a master replaced. */
const OVERLAP = 3_000_000

/** Lua: what was touched in each partition since; all, if Redis's clock is behind that. Forgets what is old. */
const LOOK = makeScript(`
${MICROS}
local answers = {}
for n, touched in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', touched, '-inf', (time[1] - ${REMEMBERED}) .. '000000')
  local since = ARGV[n]
  if tonumber(since) > tonumber(micros) then since = '-inf' end
  local found = redis.call('ZRANGE', touched, since, '+inf', 'BYSCORE', 'WITHSCORES')
  answers[n] = {micros, found}
end
return answers`)

/** What is hinted without a published word. */
type TailHints = Pick<Hints, 'roomChanged' | 'roomGone' | 'chatSaid'>

/** Finds what was done to the followed rooms, in case that no hint came (F-C3). */
export class Tail {
  readonly #link: Link
  readonly #keys: Keys
  readonly #hints: TailHints
  /** The followed rooms of each partition, with the newest mark in `touched` that is known of each. */
  readonly #marks: readonly Map<RoomId, number>[]
  /** Up to when each partition was looked at. */
  readonly #looked = new Array<number>(PARTITIONS).fill(0)
  /** A partition without followed rooms that is looked at as well, so that it forgets what is old. */
  #turn = 0

  constructor(parts: { readonly link: Link; readonly keys: Keys; readonly hints: TailHints }) {
    this.#link = parts.link
    this.#keys = parts.keys
    this.#hints = parts.hints
    this.#marks = Array.from({ length: PARTITIONS }, () => new Map())
  }

  follow(room: RoomId): void {
    this.#of(room).set(room, 0)
  }

  unfollow(room: RoomId): void {
    this.#of(room).delete(room)
  }

  /** What made this mark in a room is known. */
  saw(room: RoomId, mark: number): void {
    const marks = this.#of(room)
    const known = marks.get(room)
    if (known !== undefined && known < mark) marks.set(room, mark)
  }

  /** Resolves when all partitions have been looked at; rejects if one could not be. */
  async look(): Promise<void> {
    this.#turn = (this.#turn + 1) % PARTITIONS
    const partitions = this.#keys.partitions.filter(
      ({ number }) => this.#marksOf(number).size > 0 || number === this.#turn,
    )
    const answers = await this.#link.runOnEach(
      LOOK,
      partitions.map(({ touched }) => touched),
      { own: partitions.map(({ number }) => this.#since(number)) },
    )
    await Promise.all(partitions.map(({ number }, n) => this.#take(number, answers[n])))
  }

  #since(partition: number): number {
    return Math.max((this.#looked[partition] ?? 0) - OVERLAP, 0)
  }

  async #take(partition: number, answer: unknown): Promise<void> {
    const [now, touched] = listOf(answer)
    const marks = this.#marksOf(partition)
    const news = rankedOf(touched).flatMap(({ member, score }) => {
      const room = member as RoomId
      const known = marks.get(room)
      return known === undefined || known === score ? [] : [{ room, mark: score }]
    })
    await Promise.all(news.map(({ room, mark }) => this.#report(room, mark)))
    this.#looked[partition] = Number(textOf(now))
  }

  async #report(room: RoomId, mark: number): Promise<void> {
    const [version, failed] = await Promise.all([
      this.#link.send('LLEN', this.#keys.log(room)),
      this.#link.send('HEXISTS', this.#keys.room(room), 'failed'),
    ])
    const marks = this.#of(room)
    if (!marks.has(room)) return
    marks.set(room, mark)
    if (version === 0 || failed === 1) this.#hints.roomGone(room)
    else {
      this.#hints.roomChanged(room, integerOf(version))
      this.#hints.chatSaid(room)
    }
  }

  #of(room: RoomId): Map<RoomId, number> {
    return this.#marksOf(partitionOf(room))
  }

  #marksOf(partition: number): Map<RoomId, number> {
    const marks = this.#marks[partition]
    if (marks === undefined) throw new Error(`there is no partition ${partition}`)
    return marks
  }
}
