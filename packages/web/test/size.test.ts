import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const PAGE = fileURLToPath(new URL('../dist/page/', import.meta.url))
const MOST_BYTES = 100_000

test('the first load has less than 100 kB of script and style', () => {
  const html = readFileSync(join(PAGE, 'index.html'), 'utf8')
  const files = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.(?:js|css))"/g)].flatMap(
    ([, file]) => file ?? [],
  )
  expect(files.length).toBeGreaterThan(1)
  const bytes = files.map((file) => gzipSync(readFileSync(join(PAGE, file)), { level: 9 }).length)
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES)
})
