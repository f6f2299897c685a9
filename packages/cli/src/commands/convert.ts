import { formatRecord, readJgs, readJql, writeJgs } from '@junqi/engine'
import { type Command, parseArguments } from '../command.ts'
import { jsonRecord, qqKindOf, readInput, valueOrFail } from '../input.ts'
import { writeBytes, writeLine } from '../output.ts'

/** Prints what a file of QQ's holds, or writes a game as one. */
export const convertCommand: Command = {
  name: 'convert',
  parameters: 'FILE.jgs|FILE.jql|RECORD.json',
  summary: "print the record of QQ's .jgs, or the formation of its .jql; or write a record as .jgs",
  async run(args, streams) {
    const { operands } = parseArguments(convertCommand, args, { options: {}, operands: ['FILE'] })
    const [path = ''] = operands
    const bytes = await readInput(path, streams)
    switch (qqKindOf(path, bytes)) {
      case 'jgs':
        await writeLine(streams.stdout, formatRecord(valueOrFail(path, readJgs(bytes))))
        return 0
      case 'jql':
        await writeLine(streams.stdout, valueOrFail(path, readJql(bytes)))
        return 0
      case null:
        await writeBytes(streams.stdout, valueOrFail(path, writeJgs(jsonRecord(path, bytes))))
        return 0
    }
  },
}
