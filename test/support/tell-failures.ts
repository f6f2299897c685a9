import type { Reporter } from 'vitest/node'

/** Tells what has failed at once: other reporters do at the end of a run, which may be an hour away. */
export const tellFailures: Reporter = {
  onTestCaseResult(test) {
    const { errors } = test.result()
    for (const { stack, message } of errors ?? []) {
      process.stderr.write(`\nFAILED ${test.fullName}\n${stack ?? message}\n\n`)
    }
  },
}
