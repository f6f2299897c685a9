import { CommandFailure } from '../failure.ts'
import type { Check } from './checks.ts'
import { Blame, Scene } from './scene.ts'

/** What came of a check. */
export interface Verdict {
  readonly check: Check
  /** What the client did wrong; null: nothing. */
  readonly blame: string | null
  /** The last that the client wrote. */
  readonly lastWords: readonly string[]
}

export interface Examination {
  readonly server: string
  readonly command: string
  readonly patienceMs: number
}

/** Has the client play a game, and judges it. */
export async function judge(
  check: Check,
  { server, command, patienceMs }: Examination,
): Promise<Verdict> {
  const { turnSeconds, silentSeconds = 0, allowed } = check
  const patience = { patienceMs: patienceMs + silentSeconds * 1_000 }
  const scene = new Scene({ server, command, ...patience, turnSeconds, allowed })
  try {
    const staged = check.stage(scene)
    // Whoever waits hears of it.
    staged.catch(() => {})
    await scene.begin()
    await staged
    await scene.hasEnded()
    return { check, blame: null, lastWords: [] }
  } catch (error) {
    if (!(error instanceof Blame)) throw error
    return { check, blame: error.message, lastWords: scene.lastWords }
  } finally {
    await scene.end()
  }
}

/** The checks that are asked for by name, in order. */
export function chosen(checks: readonly Check[], names: readonly string[]): readonly Check[] {
  const known = checks.map(({ name }) => name)
  const wrong = names.find((name) => !known.includes(name))
  if (wrong !== undefined)
    throw new CommandFailure(`there is no check ${wrong}; there are ${known.join(', ')}`, 2)
  return names.length === 0 ? checks : checks.filter(({ name }) => names.includes(name))
}
