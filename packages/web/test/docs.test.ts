import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const BUILT = fileURLToPath(new URL('../dist/page/docs/', import.meta.url))
const SOURCES = fileURLToPath(new URL('../../../docs/', import.meta.url))
const read = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8')

const files = readdirSync(BUILT).filter((name) => !/\.(?:br|gz)$/.test(name))
const pages = files.filter((name) => name.endsWith('.html'))
const attributes = (html: string, name: string): readonly string[] =>
  [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].flatMap(([, value]) => value ?? [])

test.each(files.filter((name) => /\.(?:md|json)$/.test(name)))(
  '%s is served as the checkout has it',
  (name) => {
    const source = name.endsWith('.md') ? name : `protocol/${name}`
    expect(read(BUILT, name)).toBe(read(SOURCES, source))
  },
)

test('every file that is generated for client authors is served', () => {
  const generated = [
    'write-a-client.md',
    'protocol.md',
    'http.md',
    'errors.md',
    ...readdirSync(join(SOURCES, 'protocol')),
  ]
  expect(files).toEqual(expect.arrayContaining(generated))
})

test.each(pages)('every link of %s leads to something', (page) => {
  const html = read(BUILT, page)
  expect(html).toContain('<h1')
  for (const href of attributes(html, 'href')) {
    const [path = '', anchor] = href.split('#')
    if (/^https?:/.test(href) || ['./', '../'].includes(path)) continue
    expect([href, path === '' || files.includes(path)]).toEqual([href, true])
    if (anchor === undefined) continue
    const ids = attributes(read(BUILT, path === '' ? page : path), 'id')
    expect([href, ids.filter((id) => id === anchor)]).toEqual([href, [anchor]])
  }
})

test.each(pages)('%s needs no script, no style of its own and nothing from elsewhere', (page) => {
  const html = read(BUILT, page)
  expect(html).not.toMatch(/<(?:script|style|img|iframe)|\s(?:style|src|on\w+)=/)
  const [...loaded] = html.matchAll(/<link[^>]*>/g)
  expect(loaded.map(String)).toEqual(['<link rel="stylesheet" href="docs.css">'])
})

test('each page can be reached from the first, and leads back', () => {
  const linked = attributes(read(BUILT, 'index.html'), 'href')
  expect(linked).toEqual(expect.arrayContaining(pages.filter((page) => page !== 'index.html')))
  for (const page of pages) expect(attributes(read(BUILT, page), 'href')).toContain('./')
})
