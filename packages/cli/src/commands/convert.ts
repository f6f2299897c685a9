import { formatRecord, readJgs, readJql } from '@junqi/engine'
import { type Command, parseArguments } from '../command.ts'
import { inputFailure } from '../failure.ts'
import { qqKindOf, readInput, valueOrFail } from '../input.ts'
import { writeLine } from '../output.ts'

/** Prints what a file of QQ's holds. */
export const convertCommand: Command = {
  name: 'convert',
  parameters: 'FILE.jgs|FILE.jql',
  summary: "print the record of QQ's .jgs, or the formation of its .jql",
  async run(args, streams) {
    const { operands } = parseArguments(convertCommand, args, { options: {}, operands: ['FILE'] })
    const [path = ''] = operands
    const bytes = await readInput(path, streams)
    const kind = qqKindOf(path, bytes)
    if (kind === null) throw inputFailure(`${path}: neither a .jgs nor a .jql file`)
    const text =
      kind === 'jgs'
        ? formatRecord(valueOrFail(path, readJgs(bytes)))
        : valueOrFail(path, readJql(bytes))
    await writeLine(streams.stdout, text)
    return 0
  },
}
