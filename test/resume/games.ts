import { bySeat, type PresetName } from '@junqi/engine'
import { strictEncoding } from '@junqi/protocol'
import { BESIDE, perform } from '../non-interference/perform.ts'
import { below, chance, seededRandom } from '../non-interference/random.ts'
import { RoomsSite } from '../non-interference/rooms-site.ts'
import { playScript } from '../non-interference/script.ts'
import { setupOf } from '../non-interference/setup.ts'
import { variantOf } from '../non-interference/variant.ts'
import { type Compared, Witnesses } from './witness.ts'

/** The witnesses follow one room: what else its players do is not told apart from it. */
const ONE_TABLE = new Set([...BESIDE].filter((beside) => beside !== 'earlier'))

interface Extent {
  readonly seed: number
  /** Clients that come back after every command. */
  readonly often: number
  /** The longest game. */
  readonly acts: number
  /** Over which it is played, everyone coming back at another one; 1 unless it says otherwise. */
  readonly nodes?: number
}

/** Plays a game on the real rooms, every client coming back from every version of it. */
export async function resumeThroughout(
  preset: PresetName,
  { seed, often, acts, nodes = 1 }: Extent,
): Promise<Compared> {
  // Every frame is parsed where it is received.
  strictEncoding(false)
  const random = seededRandom(seed)
  const { options, ruleSet } = variantOf(preset, { random, isDark: chance(random, 0.5) })
  const setup = setupOf(ruleSet, random)
  const temper = {
    acts,
    attack: 0.8,
    timeout: 0.02 * random(),
    resign: 0.02 * random(),
    leave: 0.01 * random(),
    offer: 0.03 * random(),
    endsFrom: 30,
  }
  const watch = new Witnesses(random, often)
  await perform(
    {
      seed,
      request: { preset, options, private: chance(random, 0.3) },
      ruleSet,
      nodes,
      beside: ONE_TABLE,
    },
    { setup, whims: bySeat(() => below(random, 2 ** 31)), asides: null },
    {
      openSite: RoomsSite.open,
      scriptOf: (first) => playScript({ ruleSet, setup, first }, temper, random),
      watch,
    },
  )
  return watch.compared
}
