/** Writes the pages that follow from the schemas. With `--check` it only says which have drifted, and exits with 1. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { asyncApi } from './asyncapi.ts'
import { makeHttpSchemas } from './http-schemas.ts'
import { makeCatalogue } from './json-schema.ts'
import { openApi } from './openapi.ts'
import { clientPage, errorsPage, httpPage, protocolPage } from './pages.ts'

const docs = new URL('../../../docs/', import.meta.url)
const catalogue = makeCatalogue()
const http = makeHttpSchemas()
const inLines = (json: object): string => `${JSON.stringify(json, null, 2)}\n`
const pages = {
  'protocol.md': protocolPage(catalogue, http),
  'http.md': httpPage(catalogue, http),
  'errors.md': errorsPage(),
  'write-a-client.md': clientPage(readFileSync(new URL('duel-client.py', docs), 'utf8')),
  'protocol/schema.json': inLines(catalogue.json),
  'protocol/asyncapi.json': inLines(asyncApi(catalogue)),
  'protocol/openapi.json': inLines(openApi(http)),
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
