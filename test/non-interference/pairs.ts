import {
  bySeat,
  invariant,
  isFlipGame,
  isSeat,
  type PieceId,
  type PresetName,
  type Seat,
} from '@junqi/engine'
import { strictEncoding } from '@junqi/protocol'
import { maskedCommitments } from '../../packages/server/test/support/masked.ts'
import { flipTwinsOf } from './flip-twin.ts'
import { knownPieces } from './knowledge.ts'
import { Leak } from './leak.ts'
import { type Performance, type Plan, perform, type Secrets } from './perform.ts'
import { below, chance, pick, type Random, seededRandom } from './random.ts'
import { playScript, type Script, type Temper } from './script.ts'
import { setupOf } from './setup.ts'
import { ACTORS, type Actor } from './table.ts'
import { type FindTwin, type Twin, twinsOf } from './twin.ts'
import { variantOf } from './variant.ts'

/** What was compared, for one preset. */
export interface Count {
  readonly pairs: number
  /** Pairs in which every differing piece moved or fought. */
  readonly active: number
  /** Viewers compared, over all pairs. */
  readonly viewers: number
  readonly frames: number
  /** Seats that were out, over all viewers compared. */
  readonly eliminated: number
}

/** How many games of a preset are played, and how many others that look alike are found to each. */
export interface Extent {
  readonly games: number
  readonly twins: number
  readonly seed: number
  /** Over which each game is played; 1 unless it says otherwise. */
  readonly nodes?: number
}

/** Plays pairs of runs that are equal to a viewer, and throws a Leak when one of them is not, byte for byte. */
export async function comparePairs(preset: PresetName, extent: Extent): Promise<Count> {
  // Bytes are compared here; that frames fit their schemas is tested elsewhere, and takes as long again.
  strictEncoding(false)
  const counts: Count[] = []
  for (let n = 0; n < extent.games; n++) {
    const { seed, nodes = 1 } = extent
    const game = await playGame(preset, { seed: seed + n * 1_000, isDark: n % 2 === 0, nodes })
    for (let twin = 0; twin < extent.twins; twin++) {
      const counted = await comparePair(game, twin)
      if (counted !== null) counts.push(counted)
    }
  }
  return counts.reduce(sum, NOTHING)
}

const NOTHING: Count = { pairs: 0, active: 0, viewers: 0, frames: 0, eliminated: 0 }

const sum = (one: Count, other: Count): Count => ({
  pairs: one.pairs + other.pairs,
  active: one.active + other.active,
  viewers: one.viewers + other.viewers,
  frames: one.frames + other.frames,
  eliminated: one.eliminated + other.eliminated,
})

/** The first run of pairs. */
interface Game {
  readonly plan: Plan
  readonly secrets: Secrets
  readonly script: Script
  readonly performance: Performance
  readonly findTwin: FindTwin
}

async function playGame(
  preset: PresetName,
  {
    seed,
    isDark,
    nodes,
  }: { readonly seed: number; readonly isDark: boolean; readonly nodes: number },
): Promise<Game> {
  const random = seededRandom(seed)
  const { options, ruleSet } = variantOf(preset, { random, isDark })
  const request = { preset, options, private: chance(random, 0.3) }
  const plan: Plan = { seed, request, ruleSet, nodes }
  const secrets: Secrets = {
    setup: setupOf(ruleSet, random),
    whims: bySeat(() => below(random, 2 ** 31)),
  }
  let script: Script | null = null
  const performance = await perform(plan, secrets, {
    scriptOf: (first) => {
      script = playScript({ ruleSet, setup: secrets.setup, first }, temperOf(random), random)
      return script
    },
  })
  invariant(script !== null, 'a game was played')
  const findTwin = isFlipGame(ruleSet) ? flipTwinsOf(script) : twinsOf(script)
  return { plan, secrets, script, performance, findTwin }
}

const temperOf = (random: Random): Temper => ({
  acts: 15 + below(random, 75),
  attack: 0.5 + 0.5 * random(),
  timeout: 0.03 * random(),
  resign: 0.03 * random(),
  leave: 0.02 * random(),
  offer: 0.03 * random(),
  endsFrom: null,
})

/** Plays a run that is equal to the n-th viewer, and to whom else it may be; null: there is none. */
async function comparePair(game: Game, n: number): Promise<Count | null> {
  const { plan, secrets, script } = game
  const random = seededRandom(plan.seed + n + 10)
  const twin = twinFor(game, n, random)
  if (twin === null) return null
  const { viewers, others } = audienceOf(script, twin.differing, random)
  const other = await perform(
    plan,
    {
      setup: twin.script.setup,
      whims: bySeat((seat) =>
        others.includes(seat) ? below(random, 2 ** 31) : secrets.whims[seat],
      ),
    },
    { scriptOf: () => twin.script },
  )
  for (const viewer of viewers) compareSeen(viewer, game, other)
  const seats = script.acts.at(-1)?.before.seats
  return {
    pairs: differs(game.performance, other, twin) ? 1 : 0,
    active: twin.active ? 1 : 0,
    viewers: viewers.length,
    frames: viewers.reduce((count, viewer) => count + (other.seen.get(viewer)?.length ?? 0), 0),
    eliminated: viewers.filter((viewer) => isSeat(viewer) && seats?.[viewer]?.out).length,
  }
}

/** Few games have no twin at all; a search that finds none may have exchanged too little. */
const ATTEMPTS = 3

/** The game on other kinds that the n-th viewer does not know; where it knows all, on the same. */
function twinFor({ script, findTwin }: Game, n: number, random: Random): Twin | null {
  const viewers = [...script.ruleSet.seats, 'spectator'] as const
  const viewer = viewers[n % viewers.length] ?? 'spectator'
  if (script.ruleSet.visibility === 'allOpen')
    return { script, differing: new Set(), active: false }
  const known = knownPieces(script, viewer)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const twin = findTwin(known, random)
    if (twin !== null) return twin
  }
  return null
}

interface Audience {
  /** To whom the two runs are equal. */
  readonly viewers: readonly Actor[]
  /** The seats that may do as they please in each. */
  readonly others: readonly Seat[]
}

function audienceOf(script: Script, differing: ReadonlySet<PieceId>, random: Random): Audience {
  const { seats } = script.ruleSet
  const knows = (seat: Seat) => [...knownPieces(script, seat)].some((id) => differing.has(id))
  // Where no piece differs the formations tried before play do, of any seat but one.
  const idle = pick(random, seats)
  const others = seats.filter((seat) => (differing.size > 0 ? knows(seat) : seat !== idle))
  return { others, viewers: ACTORS.filter((actor) => !others.some((seat) => seat === actor)) }
}

/** Whether something hidden differs between two runs: pieces, or what was laid out before play. */
const differs = (one: Performance, other: Performance, { differing }: Twin): boolean =>
  differing.size > 0 || JSON.stringify([...one.laidOut]) !== JSON.stringify([...other.laidOut])

function compareSeen(viewer: Actor, { plan, performance }: Game, other: Performance): void {
  const [one = [], two = []] = [performance, other].map(({ seen }) =>
    inStreams(seen.get(viewer) ?? []).map(maskedCommitments),
  )
  const length = Math.max(one.length, two.length)
  for (let n = 0; n < length; n++) {
    if (one[n] === two[n]) continue
    const { preset, options } = plan.request
    throw new Leak(
      `${preset} ${JSON.stringify(options)}, seed ${plan.seed}: the ${viewer}'s message ${n} of ${length} differs\n${one[n]}\n${two[n]}`,
    )
  }
}

/**
 * What is told of rooms, and after it where the player sits: that is looked up while rooms are answered, so which comes first
 * depends on how busy a room is with whatever others ask, and they may ask as they please.
 */
function inStreams(frames: readonly string[]): readonly string[] {
  const isSeats = (frame: string): boolean => frame.startsWith('{"type":"seats"')
  return [...frames.filter((frame) => !isSeats(frame)), ...frames.filter(isSeats)]
}
