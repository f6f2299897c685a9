import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RowName } from './budgets.ts'
import { GROUPS } from './groups.ts'
import { type Machine, thisMachine } from './machine.ts'
import { readOptions } from './options.ts'
import { formatRow, judge, type Row } from './report.ts'
import type { Results } from './results.ts'
import { pinLoad } from './server-process.ts'

/** `npm run bench`: the rows of the budgets. */
const json = fileURLToPath(new URL('./results.json', import.meta.url))
const options = readOptions(process.argv.slice(2), GROUPS, json)

if (typeof options === 'string') {
  process.stdout.write(`${options}\n`)
  process.exitCode = 2
} else {
  const machine = thisMachine()
  process.stdout.write(`${machineLine(machine)}\n`)
  pinLoad()
  const rows: Row[] = []
  const keep = (): void => {
    mkdirSync(dirname(options.json), { recursive: true })
    const results: Results = { machine, isQuick: options.isQuick, rows }
    writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`)
  }
  for (const group of Object.values(GROUPS)) {
    if (!group.rows.some((row: RowName) => options.rows.has(row))) continue
    for await (const result of group.measure(options.scale, options.rows)) {
      if (!options.rows.has(result.row)) continue
      const row = judge(result)
      rows.push(row)
      process.stdout.write(`${formatRow(row)}\n`)
      keep()
    }
  }
  process.stdout.write(`${summary(rows)}\nkept in ${options.json}\n`)
}

function machineLine({ cores, cpu, node, load, isPinned }: Machine): string {
  const pinned = isPinned ? 'server and load on a core each' : 'NOT pinned to cores: rough figures'
  return `${cores} x ${cpu}, Node ${node}, load ${load}; ${pinned}`
}

function summary(rows: readonly Row[]): string {
  const count = (verdict: Row['verdict']): number =>
    rows.filter((row) => row.verdict === verdict).length
  return `${count('met')} met, ${count('not met')} not met, ${count('report')} reported, ${count('not measured')} not measured`
}
