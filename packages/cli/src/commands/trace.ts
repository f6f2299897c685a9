import { traceRecord } from '@junqi/engine'
import { type Command, parseArguments } from '../command.ts'
import { illegalAction, readRecord } from '../input.ts'
import { writeLine } from '../output.ts'

/** Prints a JSON row for each action of a record, up to the first illegal one. */
export const traceCommand: Command = {
  name: 'trace',
  parameters: 'RECORD [--views]',
  summary: 'print a JSON row for each action; with --views, what every viewer sees',
  async run(args, streams) {
    const { flags, operands } = parseArguments(traceCommand, args, {
      options: { views: 'flag' },
      operands: ['RECORD'],
    })
    const [path = ''] = operands
    const record = await readRecord(path, streams)
    for (const row of traceRecord(record, { views: flags.has('views') })) {
      await writeLine(streams.stdout, JSON.stringify(row))
      if ('illegal' in row) throw illegalAction(path, row)
    }
    return 0
  },
}
