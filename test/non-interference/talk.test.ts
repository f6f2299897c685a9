import type { PresetName } from '@junqi/engine'
import type { Channel } from '@junqi/protocol'
import { strictEncoding } from '@junqi/protocol'
import { beforeAll, describe, expect, test } from 'vitest'
import { BESIDE, type Performance, type Plan, perform, type Secrets } from './perform.ts'
import { below, seededRandom } from './random.ts'
import { RoomsSite } from './rooms-site.ts'
import { playScript, type Script } from './script.ts'
import { setupOf } from './setup.ts'
import type { Viewer } from './site.ts'
import { isOfType, type Table, type Watch } from './table.ts'
import { variantOf } from './variant.ts'

beforeAll(() => strictEncoding(false))

/** Who says what, after everything that happens. */
type Voices = readonly (readonly [Viewer, Channel])[]

/** Has some talk as they please, and counts what of it was accepted. */
function talkative(voices: Voices, seed: number): Watch & { readonly said: Map<string, number> } {
  const random = seededRandom(seed)
  const said = new Map<string, number>()
  let isTalking = false
  return {
    said,
    notice() {},
    async closing() {},
    async settled(table: Table) {
      if (isTalking) return
      isTalking = true
      for (const [actor, channel] of voices) {
        for (let n = below(random, 3); n > 0; n--) {
          if (!table.isWatching(actor)) continue
          const text = 'x'.repeat(1 + below(random, 200))
          const answer = await table.ask(actor, { type: 'say', channel, text })
          if (isOfType(answer, 'ack')) said.set(channel, (said.get(channel) ?? 0) + 1)
        }
      }
      isTalking = false
    },
  }
}

const heardBy = ({ seen }: Performance, actor: Viewer): number =>
  (seen.get(actor) ?? []).filter(({ whole }) => isOfType(whole, 'said')).length

/** Byte for byte. */
function expectAlike(one: Performance, other: Performance, viewers: readonly Viewer[]): void {
  for (const viewer of viewers) {
    const [seen = [], also = []] = [one, other].map((each) =>
      (each.seen.get(viewer) ?? []).map(({ whole }) => whole),
    )
    const at = seen.findIndex((frame, n) => frame !== also[n])
    expect([viewer, at, also[at]]).toEqual([viewer, at, seen[at]])
    expect(also).toHaveLength(seen.length)
  }
}

/** One game, played in silence and with talk: by the same script, so that nothing but the talk differs. */
async function playTwice(
  preset: PresetName,
  setup: { seed: number; nodes: number },
  voices: Voices,
) {
  const random = seededRandom(setup.seed)
  const { options, ruleSet } = variantOf(preset, { random, isDark: true })
  const plan: Plan = {
    ...setup,
    ruleSet,
    request: { preset, options, private: false },
    beside: BESIDE,
  }
  const start = setupOf(ruleSet, random)
  const whims = { south: 1, east: 2, north: 3, west: 4 }
  const secrets: Secrets = { setup: start, whims, asides: null }
  let script: Script | null = null
  const temper = { acts: 40, attack: 0.7, timeout: 0.03, resign: 0.02, leave: 0.01, offer: 0.02 }
  const quiet = await perform(plan, secrets, {
    openSite: RoomsSite.open,
    scriptOf: (first) => {
      script = playScript({ ruleSet, setup: start, first }, { ...temper, endsFrom: null }, random)
      return script
    },
  })
  const watch = talkative(voices, setup.seed + 1)
  const loud = await perform(plan, secrets, {
    openSite: RoomsSite.open,
    scriptOf: () => {
      if (script === null) throw new Error('no game was played')
      return script
    },
    watch,
  })
  return { quiet, loud, said: watch.said }
}

describe.each([
  ['siguo', 1],
  ['siguo-ally-open', 1],
  ['siguo', 2],
] as const)('R-CHAT-6, R-SEE-6: %s, over %d nodes', (preset, nodes) => {
  const setup = (seed: number) => ({ seed: seed * 1_000 + nodes, nodes })

  test.each([1, 2])(
    'F-H6: the talk of one alliance changes no byte of the others (%d)',
    async (seed) => {
      const voices: Voices = [
        ['east', 'alliance'],
        ['west', 'alliance'],
      ]
      const { quiet, loud, said } = await playTwice(preset, setup(seed), voices)
      expect(said.get('alliance')).toBeGreaterThan(20)
      expect(heardBy(loud, 'west')).toBeGreaterThan(20)
      expectAlike(quiet, loud, ['south', 'north', 'spectator', 'stranger'])
    },
  )

  test.each([3])(
    'F-H7: the talk of spectators changes no byte of the players (%d)',
    async (seed) => {
      const voices: Voices = [['spectator', 'spectators']]
      const { quiet, loud, said } = await playTwice(preset, setup(seed), voices)
      expect(said.get('spectators')).toBeGreaterThan(20)
      // The stranger looks on as well, when it looks.
      expectAlike(quiet, loud, ['south', 'east', 'north', 'west'])
    },
  )

  test.each([4])(
    'F-H7: the talk of the table changes no byte of a spectator (%d)',
    async (seed) => {
      const voices: Voices = [
        ['south', 'table'],
        ['east', 'table'],
        ['north', 'alliance'],
      ]
      const { quiet, loud, said } = await playTwice(preset, setup(seed), voices)
      expect(said.get('table')).toBeGreaterThan(20)
      expect(heardBy(loud, 'west')).toBeGreaterThan(20)
      expectAlike(quiet, loud, ['spectator', 'stranger'])
    },
  )
})
