import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { bears, type Mutation, problemOfPlanting } from './mutation.ts'
import { MUTATIONS } from './mutations.ts'
import { Sandbox, type TestResult } from './sandbox.ts'

/**
 * `npm run test:mutations [-- F-H4 F-T1]`: plants each fault, one at a time, and sees the test that bears its row's id
 * fail, having passed without it.
 */
const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url))
const WORKERS = Math.min(2, availableParallelism())

/** What became of a planted fault. */
interface Verdict {
  readonly isFound: boolean
  readonly why: string
}

const found = (why: string): Verdict => ({ isFound: true, why })
const missed = (why: string): Verdict => ({ isFound: false, why })

const asked = process.argv.slice(2)
const mutations = MUTATIONS.filter(({ fault }) => asked.length === 0 || asked.includes(fault))
// An interrupt leaves by the exit, where sandboxes are removed.
process.once('SIGINT', () => process.exit(130))
const sandboxes = Array.from({ length: WORKERS }, () => new Sandbox(CHECKOUT))
const isGood = await judgeAll(mutations)
for (const sandbox of sandboxes) sandbox.remove()
process.exitCode = isGood ? 0 : 1

async function judgeAll(planted: readonly Mutation[]): Promise<boolean> {
  const complaints = await Promise.all(sandboxes.map((each) => each.build()))
  const complaint = complaints.find((each) => each !== null)
  if (complaint !== undefined) {
    say(`! without any fault it does not compile: ${complaint}`)
    return false
  }
  const sound = await soundResults(planted)
  say(`${sound.length} tests ran without any fault`)
  const waiting = [...planted]
  let survivors = 0
  const work = async (sandbox: Sandbox): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { isFound, why } = await judge(next, sandbox, sound)
      if (!isFound) survivors++
      say(`${isFound ? '+' : '!'} ${next.fault.padEnd(5)} ${next.plants}\n        ${why}`)
    }
  }
  await Promise.all(sandboxes.map(work))
  say(`${planted.length - survivors} faults found, ${survivors} not`)
  return planted.length > 0 && survivors === 0
}

/** All the tests that are to find something, with nothing planted. */
async function soundResults(planted: readonly Mutation[]): Promise<readonly TestResult[]> {
  const files = [...new Set(planted.map(({ test }) => test))]
  const ids = [...new Set(planted.map(({ fault }) => fault))]
  return (await sandboxes[0]?.test(files, nameOf(ids), { failures: 0 })) ?? []
}

async function judge(
  mutation: Mutation,
  sandbox: Sandbox,
  sound: readonly TestResult[],
): Promise<Verdict> {
  const { fault, file, find, replace, test } = mutation
  const own = sound.filter((result) => result.file === test && bears(result.name, fault))
  if (own.length === 0) return missed(`${test} has no test of that name`)
  const broken = own.find(({ failure }) => failure !== null)
  if (broken !== undefined) return missed(`fails without it: ${broken.name}: ${broken.failure}`)
  const source = sandbox.read(file)
  const problem = problemOfPlanting(mutation, source)
  if (problem !== null) return missed(`${file}: ${problem}`)
  sandbox.write(
    file,
    source.replace(find, () => replace),
  )
  try {
    const complaint = await sandbox.build()
    if (complaint !== null) return missed(`does not compile: ${complaint}`)
    const results = await sandbox.test([test], nameOf([fault]), { failures: 1 })
    if (results.length === 0) return missed('with it no test runs at all')
    const failed = results.find(({ failure }) => failure !== null)
    if (failed === undefined) return missed(`${test} does not notice`)
    const why = `${failed.name}: ${failed.failure}`
    // A test that waits in vain may as well have waited for a slow machine.
    return /STACK_TRACE_ERROR|Test timed out/.test(why) ? missed(`it hangs: ${why}`) : found(why)
  } finally {
    sandbox.write(file, source)
  }
}

function nameOf(faults: readonly string[]): RegExp {
  return new RegExp(`\\b(?:${faults.join('|')})\\b`)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
