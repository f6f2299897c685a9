import type { Acknowledged } from './ledger.ts'

/** A line of a report: what it counts, and how many. */
export const countLine = (name: string, count: number): string =>
  `${name.padEnd(44)}${Math.round(count)}`

/** A line for each, the most frequent first. */
export const countLines = (counts: ReadonlyMap<string, number>): readonly string[] =>
  [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => countLine(`  ${name}`, count))

/** How many commands of each type there are. */
export function countTypes(acknowledged: readonly Acknowledged[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { command } of acknowledged) {
    counts.set(command.type, (counts.get(command.type) ?? 0) + 1)
  }
  return counts
}

export const sumOf = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0)
