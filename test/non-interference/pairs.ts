import {
  allianceOf,
  type BySeat,
  bySeat,
  type EndReason,
  invariant,
  isFlipGame,
  isSeat,
  PRESET_NAMES,
  type PresetName,
  type Seat,
} from '@junqi/engine'
import { type Spectators, strictEncoding } from '@junqi/protocol'
import { botsAt, withBots } from './bots.ts'
import { ENDINGS } from './ending.ts'
import { flipTwinsOf } from './flip-twin.ts'
import { knownPieces } from './knowledge.ts'
import { Leak } from './leak.ts'
import {
  comparable,
  differenceOf,
  type Pair,
  performWorld,
  report,
  roleOf,
  type World,
} from './pair.ts'
import { BESIDE, type Performance, type Plan, perform } from './perform.ts'
import { below, chance, pick, type Random, seededRandom } from './random.ts'
import { RoomsSite } from './rooms-site.ts'
import { endOf, playScript, playToEnd, type Script, type Temper } from './script.ts'
import { setupOf } from './setup.ts'
import { shrink } from './shrink.ts'
import { type OpenSite, VIEWERS, type Viewer } from './site.ts'
import { type FindTwin, type Twin, twinsOf } from './twin.ts'
import { variantOf } from './variant.ts'

/** What was compared, for one preset. */
export interface Count {
  readonly pairs: number
  /** Pairs in which every differing piece moved or fought. */
  readonly active: number
  readonly frames: number
  /** Pairs in which a bot sits, and decides as often as it is its turn. */
  readonly bots: number
  /** Pairs whose game came to its end, by why it ended. */
  readonly ended: ReadonlyMap<EndReason, number>
  /** Of those, in how many all was compared after the end as well. */
  readonly beyond: number
  /** Viewers compared over all pairs, by what they were. */
  readonly viewers: ReadonlyMap<string, number>
}

/** How many games of a preset are played, and how many others that look alike are found to each. */
export interface Extent {
  readonly games: number
  readonly twins: number
  readonly seed: number
  /** Over which each game is played; 1 unless it says otherwise. */
  readonly nodes?: number
  /** What each is played on; the rooms without sockets unless it says otherwise. */
  readonly openSite?: OpenSite
  /** The longest game. */
  readonly acts?: number
  /** What is played, by turns; each kind unless it says otherwise. */
  readonly kinds?: readonly Kind[]
  /** Pairs that are played at most to find one that differs in less, of two runs each. */
  readonly tries?: number
}

/** Plays pairs of runs that are equal to a viewer, and throws a Leak when one of them is not, byte for byte. */
export async function comparePairs(preset: PresetName, extent: Extent): Promise<Count> {
  // Bytes are compared here; that frames fit their schemas is tested elsewhere, and takes as long again.
  strictEncoding(false)
  let count = NOTHING
  for (let n = 0; n < extent.games; n++) {
    const seed = extent.seed + n * 1_000
    const { kinds = KINDS } = extent
    const kind = kinds[n % kinds.length] ?? 'cut'
    const turn = PRESET_NAMES.indexOf(preset) + Math.floor(n / kinds.length)
    const game = await playGame(preset, { ...extent, seed }, { kind, turn })
    for (let twin = 0; twin < extent.twins; twin++) {
      const counted = await comparePair(game, twin, extent.tries ?? 150)
      if (counted !== null) count = sum(count, counted)
    }
  }
  return count
}

/** By turns games of people that are cut off before their end, games where bots sit too, and games that come to their end. */
const KINDS = ['cut', 'bots', 'ended'] as const
type Kind = (typeof KINDS)[number]

/** What is played; `turn` chooses how it ends. */
interface Course {
  readonly kind: Kind
  readonly turn: number
}

const NOTHING: Count = {
  pairs: 0,
  active: 0,
  frames: 0,
  bots: 0,
  ended: new Map(),
  beyond: 0,
  viewers: new Map(),
}

export function sum(one: Count, other: Count): Count {
  return {
    pairs: one.pairs + other.pairs,
    active: one.active + other.active,
    frames: one.frames + other.frames,
    bots: one.bots + other.bots,
    ended: sumByKey(one.ended, other.ended),
    beyond: one.beyond + other.beyond,
    viewers: sumByKey(one.viewers, other.viewers),
  }
}

function sumByKey<K>(one: ReadonlyMap<K, number>, other: ReadonlyMap<K, number>) {
  const both = new Map(one)
  for (const [key, count] of other) both.set(key, (both.get(key) ?? 0) + count)
  return both
}

/** The first run of pairs. */
interface Game {
  readonly plan: Plan
  readonly world: World
  readonly performance: Performance
  readonly findTwin: FindTwin
  readonly openSite: OpenSite
}

async function playGame(
  preset: PresetName,
  { seed, nodes = 1, openSite = RoomsSite.open, acts = 90 }: Extent,
  { kind, turn }: Course,
): Promise<Game> {
  const random = seededRandom(seed)
  const { options, ruleSet } = variantOf(preset, { random, isDark: chance(random, 0.5) })
  const spectators = spectatorsOf(random)
  const request = { preset, options, private: chance(random, 0.3), spectators }
  const bots = kind === 'bots' ? botsAt(ruleSet, seededRandom(seed + turn)) : {}
  const plan: Plan = { seed, request, ruleSet, nodes, bots, beside: BESIDE }
  const secrets = {
    setup: withBots(setupOf(ruleSet, random), ruleSet, bots),
    whims: bySeat(() => anySeed(random)),
    asides: { talk: bySeat(() => anySeed(random)), tables: anySeed(random) },
  }
  const temper = { ...temperOf(random, acts), bots }
  const ending = kind === 'ended' ? ENDINGS[turn % ENDINGS.length] : undefined
  let script: Script | null = null
  const performance = await perform(plan, secrets, {
    openSite,
    scriptOf: (first) => {
      const cut = playScript({ ruleSet, setup: secrets.setup, first }, temper, random)
      script = ending === undefined ? cut : playToEnd(cut, ending, random)
      return script
    },
  })
  invariant(script !== null, 'a game was played')
  invariant(performance.strayed.length === 0, 'a bot is told what the engine shows its seat')
  const findTwin = isFlipGame(ruleSet) ? flipTwinsOf(script) : twinsOf(script)
  return { plan, world: { secrets, script }, performance, findTwin, openSite }
}

const anySeed = (random: Random): number => below(random, 2 ** 31)

function spectatorsOf(random: Random): Spectators {
  const mode = pick(random, ['public', 'public', 'delayed', 'none'] as const) ?? 'public'
  return mode === 'delayed' ? { mode, moves: 1 + below(random, 20) } : { mode }
}

const temperOf = (random: Random, acts: number): Temper => ({
  acts: 15 + below(random, acts - 15),
  attack: 0.5 + 0.5 * random(),
  timeout: 0.03 * random(),
  resign: 0.03 * random(),
  leave: 0.02 * random(),
  offer: 0.03 * random(),
  endsFrom: null,
})

/** Plays a run that is equal to the n-th viewer, and to whom else it may be; null: there is none. */
async function comparePair(game: Game, n: number, tries: number): Promise<Count | null> {
  const { plan, world, performance, openSite } = game
  const random = seededRandom(plan.seed + n + 10)
  const viewer = nthViewer(game, n)
  const isEnded = endOf(world.script) !== null
  // What is shown at the end is no secret then; what was said apart, tried, or done elsewhere stays one.
  const isBeyond = isEnded && n % BEYOND_EVERY === BEYOND_EVERY - 1
  const twin = isBeyond ? sameAs(world.script) : anyTwinFor(game, viewer, random)
  if (twin === null) return null
  const { viewers, others } = audienceOf(game, { viewer, twin }, random)
  const pair: Pair = {
    plan,
    one: world,
    other: otherWorld(world, twin, others, random),
    viewers,
    isEqualAfterEnd: twin.differing.size === 0,
  }
  const other = await performWorld(plan, pair.other, openSite)
  const difference = differenceOf(pair, performance, other)
  if (difference !== null) {
    const found = await shrink({ pair, difference }, { openSite, tries })
    throw new Leak(report(found.pair, found.difference))
  }
  return countOf(pair, twin, [performance, other])
}

function countOf(pair: Pair, twin: Twin, [one, other]: readonly [Performance, Performance]): Count {
  const viewers = new Map<string, number>()
  let frames = 0
  for (const viewer of pair.viewers) {
    const role = roleOf(pair, viewer)
    viewers.set(role, (viewers.get(role) ?? 0) + 1)
    frames += comparable(pair, viewer, other).length
  }
  const reason = endOf(pair.one.script)
  return {
    pairs: differs(one, other, twin) ? 1 : 0,
    active: twin.active ? 1 : 0,
    frames,
    bots: botSeats(pair.plan).length > 0 ? 1 : 0,
    ended: new Map(reason === null ? [] : [[reason, 1]]),
    beyond: reason !== null && pair.isEqualAfterEnd ? 1 : 0,
    viewers,
  }
}

/** The twin, in which the others do as they please. */
function otherWorld(
  { secrets }: World,
  twin: Twin,
  others: readonly Seat[],
  random: Random,
): World {
  const { ruleSet, setup } = twin.script
  const isAmongOthers = (seat: Seat) =>
    ruleSet.seats.includes(seat) && allianceOf(ruleSet, seat).every((ally) => others.includes(ally))
  const { asides } = secrets
  return {
    script: twin.script,
    secrets: {
      setup,
      whims: anew(secrets.whims, (seat) => others.includes(seat), random),
      asides: asides && {
        talk: anew(asides.talk, isAmongOthers, random),
        tables: anySeed(random),
      },
    },
  }
}

const anew = (
  seeds: BySeat<number>,
  isAnother: (seat: Seat) => boolean,
  random: Random,
): BySeat<number> => bySeat((seat) => (isAnother(seat) ? anySeed(random) : seeds[seat]))

/** Of so many pairs of a game that came to its end one is compared after it as well. */
const BEYOND_EVERY = 3

/** Few games have no twin at all; a search that finds none may have exchanged too little. */
const ATTEMPTS = 3

function nthViewer({ plan }: Game, n: number): Seat | 'spectator' {
  const viewers = [...plan.ruleSet.seats, 'spectator'] as const
  return viewers[n % viewers.length] ?? 'spectator'
}

/** Where a viewer and the bots together know all, one on kinds that the bots do not know: then the viewer is not compared. */
function anyTwinFor(game: Game, viewer: Seat | 'spectator', random: Random): Twin | null {
  const twin = twinFor(game, viewer, random)
  return twin ?? (botSeats(game.plan).length > 0 ? twinFor(game, 'spectator', random) : null)
}

/** The game on other kinds that a viewer does not know; where it knows all, on the same. */
function twinFor({ plan, world, findTwin }: Game, viewer: Seat | 'spectator', random: Random) {
  const { script } = world
  if (script.ruleSet.visibility === 'allOpen') return sameAs(script)
  // A bot that knew what differs might do something else.
  const knowing = [viewer, ...botSeats(plan)]
  const known = new Set(knowing.flatMap((one) => [...knownPieces(script, one)]))
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const twin = findTwin(known, random)
    if (twin !== null) return twin
  }
  return null
}

const botSeats = ({ bots = {}, ruleSet }: Plan): readonly Seat[] =>
  ruleSet.seats.filter((seat) => bots[seat] !== undefined)

const sameAs = (script: Script): Twin => ({ script, differing: new Set(), active: false })

interface Audience {
  /** To whom the two runs are equal. */
  readonly viewers: readonly Viewer[]
  /** The seats that may do as they please in each. */
  readonly others: readonly Seat[]
}

/** In how many pairs every enemy of the viewer does as it pleases, and is not compared. */
const APART = 0.3

function audienceOf(
  { plan, world: { script } }: Game,
  { viewer, twin: { differing } }: { readonly viewer: Viewer; readonly twin: Twin },
  random: Random,
): Audience {
  const { ruleSet } = script
  const { seats } = ruleSet
  const knows = (seat: Seat) => [...knownPieces(script, seat)].some((id) => differing.has(id))
  // Where no piece differs the formations tried before play do, of any seat but one.
  const idle = pick(random, seats)
  const isApart = chance(random, APART)
  const bots = botSeats(plan)
  const others = seats.filter((seat) => {
    if (bots.includes(seat)) return false
    if (isApart && isSeat(viewer) && !allianceOf(ruleSet, viewer).includes(seat)) return true
    return differing.size > 0 ? knows(seat) : seat !== idle
  })
  return { others, viewers: VIEWERS.filter((one) => !others.some((seat) => seat === one)) }
}

/** Whether something hidden differs between two runs: pieces, what was laid out before play, what was said apart. */
const differs = (one: Performance, other: Performance, { differing }: Twin): boolean =>
  differing.size > 0 ||
  JSON.stringify([...one.laidOut]) !== JSON.stringify([...other.laidOut]) ||
  JSON.stringify(one.apart) !== JSON.stringify(other.apart)
