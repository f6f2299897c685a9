import { type Command, parseArguments } from '../command.ts'
import { CHECKS } from '../conformance/checks.ts'
import { chosen, judge, type Verdict } from '../conformance/conformance.ts'
import { usageFailure } from '../failure.ts'
import { writeLine } from '../output.ts'
import { serveTables } from '../play/own-server.ts'

/** How long a client may leave something undone, in seconds, if nothing else is asked for. */
const PATIENCE = '30'

/** Has a client program play games in which things go wrong, and says what it does wrong. */
export const conformanceCommand: Command = {
  name: 'conformance',
  parameters: '--client CMD [--only CHECK]... [--patience SECONDS]',
  summary:
    'have a client program play duels in which things go wrong, and say what it does wrong; exit code 1 if anything',
  async run(args, { stdout }) {
    const { values } = parseArguments(conformanceCommand, args, {
      options: { client: 'value', only: 'value', patience: 'value' },
      operands: [],
    })
    const [command, ...more] = values.get('client') ?? []
    if (command === undefined || more.length > 0) {
      throw usageFailure('--client is given once: the command line that runs the client')
    }
    const checks = chosen(CHECKS, values.get('only') ?? [])
    const patienceMs = millisecondsOf(values.get('patience')?.at(-1) ?? PATIENCE)
    const server = await serveTables()
    try {
      const examination = { server: server.url, command, patienceMs }
      const verdicts = checks.map((check) => judge(check, examination))
      // Of those that are not looked at yet none is to end the process.
      for (const verdict of verdicts) verdict.catch(() => {})
      let failed = 0
      for (const verdict of verdicts) {
        const told = await verdict
        if (told.blame !== null) failed += 1
        for (const line of linesOf(told)) await writeLine(stdout, line)
      }
      await writeLine(stdout, `${checks.length - failed} of ${checks.length} checks passed.`)
      return failed === 0 ? 0 : 1
    } finally {
      await server.stop()
    }
  },
}

function millisecondsOf(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text) * 1000
  throw usageFailure(`--patience is a whole number of seconds, such as ${PATIENCE}, not ${text}`)
}

function linesOf({ check, blame, lastWords }: Verdict): readonly string[] {
  if (blame === null) return [`pass  ${check.name}: ${check.text}`]
  return [
    `FAIL  ${check.name}: ${check.text}`,
    `      -> ${blame}`,
    ...lastWords.map((line) => `      | ${line}`),
  ]
}
