import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { fuzzServer, MESSAGE_TYPES } from '../support/fuzz-server.ts'
import { stopApps } from '../support/test-app.ts'

afterEach(stopApps)

/** Frames of which some of every type are accepted: ten and more on the average of the rarest. */
const ENOUGH = 20_000

/** `FUZZ_SEED=8 FUZZ_FRAMES=1000000`: others, and more. */
const { FUZZ_SEED: seed, FUZZ_FRAMES: frames } = z
  .object({
    FUZZ_SEED: z.coerce.number().default(7),
    FUZZ_FRAMES: z.coerce.number().default(50_000),
  })
  .parse(process.env)

test(`F-U4, F-R1, F-H1: ${frames} frames of every kind by everybody, each answered once`, async () => {
  const { done, sent } = await fuzzServer(frames, seed)
  const rows = [...sent].map(([type, count]) => [type, { sent: count, done: done.get(type) ?? 0 }])
  console.table(Object.fromEntries(rows))
  // With fewer it is chance which are.
  if (frames >= ENOUGH) expect(MESSAGE_TYPES.filter((type) => !done.has(type))).toEqual([])
})
