import { describe, test } from 'vitest'
import { FLIP_CASES, isShortFlip } from './flip-cases.ts'
import { expectPlayed } from './play-cases.ts'
import { runCli } from './run-cli.ts'

const LONG = FLIP_CASES.map((each, n) => [n, each] as const).filter(
  ([, each]) => !isShortFlip(each),
)

describe.concurrent('junqi play and flip games', () => {
  test.each(LONG)('R-FLIP-10: plays vector %i to its result', async (_, { record }) => {
    expectPlayed(await runCli(['play', '-'], { stdin: JSON.stringify(record) }), record)
  })
})
