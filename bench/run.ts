import { spawnSync } from 'node:child_process'
import { engineRows } from './engine-rows.ts'
import { printRow } from './report.ts'
import { LOAD_CORE } from './server-process.ts'
import { serverRows } from './server-rows.ts'

/** `npm run bench [-- engine|server]`: the rows of the budgets, as ratios where they have a yardstick. */
const [only] = process.argv.slice(2)

if (only !== 'server') for (const row of engineRows()) printRow(row)
spawnSync('taskset', ['-cp', String(LOAD_CORE), String(process.pid)])
if (only !== 'engine') for await (const row of serverRows()) printRow(row)
