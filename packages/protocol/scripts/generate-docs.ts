/** Writes the pages that follow from the schemas. With `--check` it only says which have drifted, and exits with 1. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { makeCatalogue } from './json-schema.ts'
import { errorsPage, protocolPage } from './pages.ts'

const docs = new URL('../../../docs/', import.meta.url)
const catalogue = makeCatalogue()
const pages = {
  'protocol.md': protocolPage(catalogue),
  'errors.md': errorsPage(),
  'protocol/schema.json': `${JSON.stringify(catalogue.json, null, 2)}\n`,
}

function readPage(path: string): string | null {
  try {
    return readFileSync(new URL(path, docs), 'utf8')
  } catch {
    return null
  }
}

function check(): void {
  const drifted = Object.entries(pages).filter(([path, text]) => readPage(path) !== text)
  for (const [path] of drifted) {
    console.error(`docs/${path} has drifted: run npm run docs`)
  }
  process.exitCode = drifted.length === 0 ? 0 : 1
}

function write(): void {
  mkdirSync(new URL('protocol/', docs), { recursive: true })
  for (const [path, text] of Object.entries(pages)) writeFileSync(new URL(path, docs), text)
}

if (process.argv.includes('--check')) check()
else write()
