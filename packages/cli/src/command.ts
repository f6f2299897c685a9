import type { Readable, Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { usageFailure } from './failure.ts'

/** The streams that a command talks to: those of the process, or a test's own. */
export interface Streams {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable & { readonly isTTY?: boolean }
}

/** A subcommand of `junqi`; each has its file in `commands/`. */
export interface Command {
  readonly name: string
  /** What follows the name: `RECORD [--views]`. */
  readonly parameters: string
  /** What it does, in one line of the help. */
  readonly summary: string
  /** Carries it out and gives the exit code. */
  readonly run: (args: readonly string[], streams: Streams) => Promise<number>
}

/** What a command takes: options by name, and the names of what else must be given, in order; then of what may be. */
export interface Grammar {
  readonly options: Readonly<Record<string, 'flag' | 'value'>>
  readonly operands: readonly string[]
  readonly optional?: readonly string[]
}

/** What a command was given. */
export interface Arguments {
  readonly flags: ReadonlySet<string>
  /** In the order in which they were given. */
  readonly values: ReadonlyMap<string, readonly string[]>
  readonly operands: readonly string[]
}

export const usageOf = ({ name, parameters }: Command): string =>
  `junqi ${name} ${parameters}`.trimEnd()

/** Reads a command's arguments; refuses unknown options, and missing or further operands. */
export function parseArguments(
  command: Command,
  args: readonly string[],
  grammar: Grammar,
): Arguments {
  const refuse = (problem: string) => usageFailure(`${problem}; usage: ${usageOf(command)}`)
  const flags = new Set<string>()
  const values = new Map<string, readonly string[]>()
  const operands: string[] = []
  for (const token of tokensOf(args, grammar)) {
    if (token.kind === 'positional') operands.push(token.value)
    if (token.kind !== 'option') continue
    const { name, rawName, value } = token
    const kind = Object.hasOwn(grammar.options, name) ? grammar.options[name] : undefined
    if (kind === undefined) throw refuse(`there is no option ${rawName}`)
    if (kind === 'flag' && value !== undefined) throw refuse(`${rawName} takes no value`)
    if (kind === 'flag') flags.add(name)
    else if (value === undefined) throw refuse(`${rawName} needs a value`)
    else values.set(name, [...(values.get(name) ?? []), value])
  }
  const missing = grammar.operands[operands.length]
  if (missing !== undefined) throw refuse(`${missing} is missing`)
  const extra = operands[grammar.operands.length + (grammar.optional?.length ?? 0)]
  if (extra !== undefined) throw refuse(`${extra} is too much`)
  return { flags, values, operands }
}

function tokensOf(args: readonly string[], { options }: Grammar) {
  const types = Object.entries(options).map(
    ([name, kind]) => [name, { type: kind === 'flag' ? 'boolean' : 'string' }] as const,
  )
  const config = { args: [...args], options: Object.fromEntries(types), strict: false } as const
  return parseArgs({ ...config, tokens: true }).tokens
}
