import { parseArgs } from 'node:util'
import { ROW_NAMES, type RowName } from './budgets.ts'
import { FULL, type Group, QUICK, type Scale } from './scale.ts'

export interface Options {
  readonly scale: Scale
  readonly isQuick: boolean
  readonly rows: ReadonlySet<RowName>
  /** Where the rows are kept as JSON. */
  readonly json: string
}

export const USAGE = `npm run bench [-- OPTIONS]
  --quick         fewer rounds and smaller rooms: under three minutes
  --row NAME      this row only, or the rows of this group; may be repeated
  --peers         Colyseus, socket.io and boardgame.io as well (installs bench/peers)
  --json FILE     where the rows are kept besides (bench/dist/results.json)
  --list          the names`

/** What the command line asks for; a text says what is wrong with it. */
export function readOptions(
  args: readonly string[],
  groups: Readonly<Record<string, Group>>,
  json: string,
): Options | string {
  let values: { quick: boolean; peers: boolean; row: string[]; json: string; list: boolean }
  try {
    ;({ values } = parseArgs({
      args: [...args],
      options: {
        quick: { type: 'boolean', default: false },
        peers: { type: 'boolean', default: false },
        row: { type: 'string', multiple: true, default: [] },
        json: { type: 'string', default: json },
        list: { type: 'boolean', default: false },
      },
    }))
  } catch (error) {
    return `${error instanceof Error ? error.message : error}\n\n${USAGE}`
  }
  const rows = new Set<RowName>()
  if (values.list) return listOf(groups)
  for (const name of values.row) {
    const named = groups[name]?.rows ?? ROW_NAMES.filter((row) => row === name)
    if (named.length === 0) return `There is no row ${name}.\n\n${listOf(groups)}`
    for (const row of named) rows.add(row)
  }
  const peers = groups.peers?.rows ?? []
  if (values.row.length === 0) {
    for (const row of ROW_NAMES) if (!peers.includes(row)) rows.add(row)
  }
  if (values.peers) for (const row of peers) rows.add(row)
  const scale = values.quick ? QUICK : FULL
  return { scale, isQuick: values.quick, rows, json: values.json }
}

const listOf = (groups: Readonly<Record<string, Group>>): string =>
  Object.entries(groups)
    .map(([name, { rows }]) => `${name}: ${rows.join(', ')}`)
    .join('\n')
