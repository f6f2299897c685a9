import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Marked, type RendererObject } from 'marked'

/** Makes the documents for client authors: pages that need no script, and the files that they are made of. */

interface Page {
  /** Of a page its place in `docs` without `.md`. */
  readonly name: string
  /** What it is for, where all are listed. */
  readonly text: string
}

const PAGES: readonly Page[] = [
  { name: 'write-a-client', text: 'A client in 50 lines of Python, that plays a whole duel.' },
  {
    name: 'protocol',
    text: 'The protocol: who you are, rooms, keeping up, every message with an example.',
  },
  {
    name: 'http',
    text: 'Every route of HTTP: what it takes, what it answers, with what it refuses.',
  },
  { name: 'errors', text: 'Every code of a refusal, and every close code.' },
  { name: 'rules', text: 'The rules of the game and the notation of records, by their ids.' },
  { name: 'quick-start', text: 'A table of one person and three bots, in eight messages.' },
  { name: 'quick-play', text: 'How players are brought together who ask for a table.' },
  { name: 'verify', text: 'How one checks that the game shown is the game that was played.' },
]

/** As they are, from their places in `docs`. */
const FILES: readonly Page[] = [
  { name: 'duel-client.py', text: 'The client in 50 lines.' },
  {
    name: '../packages/cli/test/clients/steady.py',
    text: 'A client that plays on whatever goes wrong, and passes junqi conformance.',
  },
  { name: 'protocol/schema.json', text: 'Every message of the socket, as JSON Schema.' },
  { name: 'protocol/asyncapi.json', text: 'The socket, as AsyncAPI 3.' },
  { name: 'protocol/openapi.json', text: 'HTTP, as OpenAPI 3.1.' },
  { name: 'protocol/seal-vectors.json', text: 'Examples of seals, for who checks them.' },
]

/** Reads `docs` of the checkout and writes what is served into the folder. */
export async function buildDocs(
  docs: string,
  styles: readonly string[],
  folder: string,
): Promise<void> {
  await mkdir(join(folder, 'protocol'), { recursive: true })
  for (const { name } of PAGES) {
    const text = await readFile(join(docs, `${name}.md`), 'utf8')
    await writeFile(join(folder, `${name}.md`), text)
    await writeFile(join(folder, `${name}.html`), pageOf(name, text))
  }
  for (const { name } of FILES) {
    const content = await readFile(join(docs, name))
    await writeFile(join(folder, basename(name)), content)
    // The pages as Markdown link to it as the checkout has it.
    if (name.startsWith('protocol/')) await writeFile(join(folder, name), content)
  }
  const css = await Promise.all(styles.map((path) => readFile(path, 'utf8')))
  await writeFile(join(folder, 'docs.css'), css.join('\n'))
  await writeFile(join(folder, 'index.html'), htmlOf('Documents', indexBody()))
}

const NAV = [
  ...PAGES.map(({ name }) => `<a href="${name}.html">${name}</a>`),
  ...FILES.map(({ name }) => `<a href="${basename(name)}">${basename(name)}</a>`),
].join(' ')

const htmlOf = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Junqi</title>
<link rel="stylesheet" href="docs.css">
<nav><a href="../">Play</a> <a href="./">Documents</a> ${NAV}</nav>
<main>
${body}</main>
</html>
`

function indexBody(): string {
  const items = (list: readonly Page[], ending: string) =>
    list.map(({ name, text }) => {
      const link = `<a href="${basename(name)}${ending}">${basename(name)}</a>`
      return `<dt>${link}</dt><dd>${text}</dd>`
    })
  return `<h1>Documents for who writes a client</h1>
<p>You need a WebSocket library, JSON, and nothing that this project made. Everything here is the text of the version that
this server runs; each page is there as Markdown as well, under the same name with <code>.md</code>.</p>
<dl>
${items(PAGES, '.html').join('\n')}
</dl>
<h2>For programs</h2>
<dl>
${items(FILES, '').join('\n')}
</dl>
`
}

function pageOf(name: string, text: string): string {
  const body = new Marked({ renderer: rendererOf() }).parse(text, { async: false })
  const title = /<h1[^>]*>(.*?)<\/h1>/.exec(body)?.[1]?.replace(/<[^>]+>/g, '') ?? name
  return htmlOf(title, body)
}

function rendererOf(): RendererObject {
  const seen = new Map<string, number>()
  return {
    heading({ tokens, depth }) {
      const text = this.parser.parseInline(tokens)
      return `<h${depth} id="${anchorOf(this.parser.parseInline(tokens, this.parser.textRenderer), seen)}">${text}</h${depth}>\n`
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens)
      const target = targetOf(href)
      return target === null ? text : `<a href="${target}">${text}</a>`
    },
  }
}

/** As readers of Markdown make it: lower case, without punctuation, a hyphen for a blank; the second of a name is `name-1`. */
function anchorOf(html: string, seen: Map<string, number>): string {
  const text = html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  const name = text
    .toLowerCase()
    .replace(/&#?\w+;/g, '')
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
  const before = seen.get(name) ?? 0
  seen.set(name, before + 1)
  return before === 0 ? name : `${name}-${before}`
}

/** Where a link of the checkout leads among what is served; null: to nothing of it. */
function targetOf(href: string): string | null {
  if (/^(?:#|https?:)/.test(href)) return href
  const [path = '', anchor] = href.split('#')
  const end = anchor === undefined ? '' : `#${anchor}`
  if (PAGES.some(({ name }) => path === `${name}.md`)) return path.replace('.md', '.html') + end
  return FILES.some(({ name }) => name === path) ? basename(path) : null
}
