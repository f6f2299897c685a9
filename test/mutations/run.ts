import { fileURLToPath } from 'node:url'
import type { Mutation } from './mutation.ts'
import { MUTATIONS } from './mutations.ts'
import { Sandbox, type TestResult } from './sandbox.ts'

/**
 * `npm run test:mutations [-- F-H4 F-T1]`: plants each fault and sees the test that bears its row's id fail,
 * having passed without it.
 */
const asked = process.argv.slice(2)
const mutations = MUTATIONS.filter(({ fault }) => asked.length === 0 || asked.includes(fault))
const sandbox = new Sandbox(fileURLToPath(new URL('../../..', import.meta.url)))
let survived = 0

try {
  await sandbox.build()
  for (const mutation of mutations) {
    const verdict = await judge(mutation)
    if (verdict !== null) survived++
    process.stdout.write(
      `${verdict === null ? '+' : '!'} ${mutation.fault.padEnd(5)} ${mutation.plants}${verdict === null ? '' : `: ${verdict}`}\n`,
    )
  }
} finally {
  sandbox.remove()
}
process.stdout.write(`${mutations.length - survived} faults found, ${survived} not\n`)
process.exitCode = survived === 0 && mutations.length > 0 ? 0 : 1

/** null: the very test fails with the fault, and passes without. */
async function judge(mutation: Mutation): Promise<string | null> {
  const { fault, test } = mutation
  const sound = await sandbox.test(test, fault)
  if (sound.length === 0) return `${test} has no test of that name`
  const broken = failed(sound)
  if (broken.length > 0) return `fails without the fault: ${broken[0]?.name}`
  const planted = await sandbox.with(mutation, async () => {
    if (mutation.needsBuild) await sandbox.build()
    return sandbox.test(test, fault)
  })
  if (mutation.needsBuild) await sandbox.build()
  return failed(planted).length > 0 ? null : 'no test notices'
}

function failed(results: readonly TestResult[]): readonly TestResult[] {
  return results.filter(({ passed }) => !passed)
}
