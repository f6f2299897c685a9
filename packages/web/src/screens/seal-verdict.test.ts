import { readdirSync, readFileSync } from 'node:fs'
import { type GameRecord, invariant, recordOf, SEALABLES } from '@junqi/engine'
import { sealOf } from '@junqi/protocol'
import { expect, test } from 'vitest'
import { playRandomly } from '../../../engine/test/random-game.ts'
import { readRecordFile } from './replay-frames.ts'
import { sealVerdict, type Told } from './seal-verdict.ts'

const { rules, started, start, steps } = playRandomly({
  preset: 'duel',
  options: {},
  seed: 5,
  length: 60,
})
const events = steps.flatMap((step) => step.events)
const PLAIN = recordOf(rules, [started, ...events])
invariant(PLAIN.formations !== undefined, 'armies are deployed in a duel')
const SALTS = Object.fromEntries(SEALABLES.map((name, n) => [name, String(n).repeat(64)]))
const SEAL = sealOf(start.ruleSet, started, SALTS)
const SEALED = { ...PLAIN, seal: SEAL }
const HISTORY = events.filter((event) => event.type !== 'gameStarted' && event.type !== 'gameEnded')

const NOTHING: Told = { commitments: null, history: null }
const ALL: Told = { commitments: SEAL.commitments, history: HISTORY }
const { south = '', ...OTHERS } = SEAL.commitments
const EXCHANGED = {
  ...SEALED,
  formations: {
    ...started.formations,
    south: [...(started.formations.south ?? '')].reverse().join(''),
  },
}

test.each<[string, GameRecord, Told, string]>([
  ['was seen from its start is what was played', SEALED, ALL, 'kept'],
  ['is read from a file agrees with its own seal', SEALED, NOTHING, 'agrees'],
  ['never was sealed is said to be so', PLAIN, NOTHING, 'unsealed'],
  ['has lost its seal is not what was played', PLAIN, ALL, 'broken'],
  ['has another formation is not, whatever else is known', EXCHANGED, NOTHING, 'broken'],
  [
    'has another seal than was told is not',
    SEALED,
    { ...ALL, commitments: { ...OTHERS, south: OTHERS.north ?? south } },
    'broken',
  ],
  ['was told with less is not', SEALED, { ...ALL, history: HISTORY.slice(1) }, 'broken'],
  [
    'has an illegal action is not, sealed or not',
    { ...PLAIN, actions: ['a1-a1'] },
    NOTHING,
    'broken',
  ],
])('R-SEAL-3: a game that %s', (_, record, told, verdict) => {
  expect(sealVerdict(record, told).type).toBe(verdict)
})

const SAMPLES = new URL('../../../engine/test/data/samples/', import.meta.url)

test.each(readdirSync(SAMPLES).filter((name) => name.endsWith('.jgs')))(
  'R-SEAL-3: %s, which no server sealed, is not blamed for that',
  async (name) => {
    const read = await readRecordFile(new Blob([readFileSync(new URL(name, SAMPLES))]))
    invariant(read.ok, 'the samples are sound')
    expect(sealVerdict(read.value, NOTHING).type).toBe('unsealed')
  },
)
