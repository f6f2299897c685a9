import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Figures, mergeFigures } from './figures.ts'
import type { ProfileResults } from './profile.ts'
import type { Results } from './results.ts'
import { DOCUMENTS, fillTables } from './tables.ts'

/**
 * `npm run bench:docs`: takes what the latest runs of bench and bench:profile kept over into docs/figures.json, row by row,
 * and writes the tables of the documents anew from it.
 */
const path = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url))
const FIGURES = path('docs/figures.json')

const read = (file: string): string | null => (existsSync(file) ? readFileSync(file, 'utf8') : null)

const old = read(FIGURES)
const kept: Figures | null = old === null ? null : JSON.parse(old)
const results = read(path('bench/dist/results.json'))
const profiles = ['lmdb', 'redis'].flatMap((store): ProfileResults[] => {
  const profile = read(path(`bench/dist/profile/${store}.json`))
  return profile === null ? [] : [JSON.parse(profile)]
})
const latest: Results | null = results === null ? null : JSON.parse(results)
const figures = latest === null ? kept : mergeFigures(kept, latest, profiles)
if (figures === null) throw new Error('nothing was measured yet: npm run bench')
writeFileSync(FIGURES, `${JSON.stringify(figures, null, 2)}\n`)
for (const document of DOCUMENTS) {
  const text = read(path(document)) ?? ''
  writeFileSync(path(document), fillTables(text, figures))
}
