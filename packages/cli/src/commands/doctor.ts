import type { Finding } from '@junqi/server'
import { type Command, parseArguments } from '../command.ts'
import { writeLine } from '../output.ts'

/** Looks at what a server with the settings of the environment needs, and says what is wrong and how to mend it. */
export const doctorCommand: Command = {
  name: 'doctor',
  parameters: '',
  summary: "check the server's settings, ports and store; exit code 1 if anything is wrong",
  async run(args, { stdout }) {
    parseArguments(doctorCommand, args, { options: {}, operands: [] })
    // Loaded here alone: no other command needs the server and its store.
    const { examineServer } = await import('@junqi/server')
    const findings = await examineServer(process.env)
    for (const finding of findings) await writeLine(stdout, formatFinding(finding))
    const wrong = findings.filter(({ health }) => health === 'bad').length
    await writeLine(stdout, summaryOf(wrong, findings.length))
    return wrong === 0 ? 0 : 1
  },
}

const MARKS = { good: 'ok   ', doubtful: 'hm   ', bad: 'WRONG' } as const

function formatFinding({ about, health, says, mend }: Finding): string {
  const finding = `${MARKS[health]}  ${about}: ${says}`
  return mend === null ? finding : `${finding}\n       -> ${mend}`
}

function summaryOf(wrong: number, all: number): string {
  if (wrong === 0) return `Nothing is wrong (${all} checks).`
  return wrong === 1 ? '1 thing is wrong.' : `${wrong} things are wrong.`
}
