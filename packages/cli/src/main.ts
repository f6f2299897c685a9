import { readFileSync } from 'node:fs'
import { type Command, type Streams, usageOf } from './command.ts'
import { adminCommand } from './commands/admin.ts'
import { arenaCommand } from './commands/arena.ts'
import { boardCommand } from './commands/board.ts'
import { botsCommand } from './commands/bots.ts'
import { conformanceCommand } from './commands/conformance.ts'
import { convertCommand } from './commands/convert.ts'
import { doctorCommand } from './commands/doctor.ts'
import { perftCommand } from './commands/perft.ts'
import { playCommand } from './commands/play.ts'
import { reindexCommand } from './commands/reindex.ts'
import { serveCommand } from './commands/serve.ts'
import { traceCommand } from './commands/trace.ts'
import { verifyCommand } from './commands/verify.ts'
import { CommandFailure, usageFailure } from './failure.ts'
import { isReaderGone, writeLine } from './output.ts'

const COMMANDS: readonly Command[] = [
  serveCommand,
  botsCommand,
  doctorCommand,
  adminCommand,
  reindexCommand,
  playCommand,
  convertCommand,
  traceCommand,
  verifyCommand,
  conformanceCommand,
  perftCommand,
  boardCommand,
  arenaCommand,
]

const HELP = [
  'usage: junqi COMMAND ...',
  '',
  ...COMMANDS.flatMap((command) => [`  ${usageOf(command)}`, `      ${command.summary}`]),
  '  junqi help [COMMAND]',
  '      print this, or what a command takes',
  '  junqi --version',
  '      print the version',
  '',
  'A RECORD is a junqi-record/1 in JSON or a .jgs file; - is the standard input.',
].join('\n')

/** Runs `junqi` with its arguments and gives its exit code: 1 for bad input, 2 for a wrong command line. */
export async function main(args: readonly string[], streams: Streams): Promise<number> {
  // A failed write is reported to the one who wrote; without a listener it would end the process.
  for (const stream of [streams.stdout, streams.stderr]) stream.on('error', () => {})
  try {
    return await run(args, streams)
  } catch (error) {
    if (isReaderGone(error)) return 0
    if (!(error instanceof CommandFailure)) throw error
    await writeLine(streams.stderr, `junqi: ${error.message}`)
    return error.exitCode
  }
}

async function run([name, ...args]: readonly string[], streams: Streams): Promise<number> {
  switch (name) {
    case undefined:
      throw usageFailure('a command is missing; `junqi help` lists them')
    case 'help':
    case '--help':
    case '-h':
      return help(args, streams)
    case '--version':
    case '-v':
      await writeLine(streams.stdout, version())
      return 0
    default:
      return isHelpAsked(args) ? help([name], streams) : find(name).run(args, streams)
  }
}

async function help([name]: readonly string[], { stdout }: Streams): Promise<number> {
  const command = name === undefined || name === 'help' ? null : find(name)
  await writeLine(
    stdout,
    command === null ? HELP : `usage: ${usageOf(command)}\n${command.summary}`,
  )
  return 0
}

const isHelpAsked = (args: readonly string[]): boolean => {
  const options = args.includes('--') ? args.slice(0, args.indexOf('--')) : args
  return options.includes('--help') || options.includes('-h')
}

function find(name: string): Command {
  const command = COMMANDS.find((known) => known.name === name)
  if (command !== undefined) return command
  const names = COMMANDS.map((known) => known.name).join(', ')
  throw usageFailure(`there is no command ${name}; there are ${names} and help`)
}

function version(): string {
  const json: unknown = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  )
  const isPackage = typeof json === 'object' && json !== null && 'version' in json
  return isPackage ? `${json.version}` : 'unknown'
}
