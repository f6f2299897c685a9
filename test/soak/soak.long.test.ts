import { expect, test } from 'vitest'
import { z } from 'zod'
import { STORES } from './places.ts'
import { formatSoak, soak } from './soak.ts'

/** As `run.mjs` hands it on. */
const { SOAK_MINUTES: minutes, SOAK_STORE: store } = z
  .object({
    SOAK_MINUTES: z.coerce.number().positive().default(60),
    SOAK_STORE: z.enum(STORES).default('lmdb'),
  })
  .parse(process.env)

const LOOKS_PER_MINUTE = 2
const FEWEST_LOOKS = 12
const RESTARTS = { restarts: 15, restless: 0.2 }

test(`F-C6: for ${minutes} minutes rooms come and go over ${store}, and nothing rises`, async () => {
  const size = {
    store,
    minutes,
    samples: Math.max(FEWEST_LOOKS, Math.round(LOOKS_PER_MINUTE * minutes)),
    ...RESTARTS,
    seed: 1,
  }
  const report = await soak(size, (line) => console.log(line))
  console.log(formatSoak(report))
  expect(report.wrong).toEqual([])
})
