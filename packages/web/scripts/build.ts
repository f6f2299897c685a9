import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { build } from 'vite'
import { buildDocs } from './docs.ts'

/** Builds the page, and the documents beside it, into `dist/page`, if anything that they are made of has changed. */

const WEB = fileURLToPath(new URL('../../', import.meta.url))
const PAGE = join(WEB, 'dist/page')
const DOCS = join(WEB, '../../docs')
const DOC_STYLES = ['tokens.css', 'docs.css'].map((name) => join(WEB, 'src/style', name))
const STAMP = join(WEB, 'dist/page.sha256')

/** All that they are made of, from the package's folder. */
const SOURCES = [
  'src',
  'index.html',
  'vite.config.ts',
  'package.json',
  'scripts',
  ...['client', 'protocol', 'engine'].flatMap((name) => [
    `../${name}/src`,
    `../${name}/package.json`,
  ]),
  '../../package-lock.json',
  '../../docs',
  '../cli/test/clients',
]

/** What a browser can read compressed. */
const TEXTS = new Set(['.html', '.js', '.css', '.svg', '.md', '.json'])

const stamp = await stampOf(SOURCES)
if (stamp !== (await textOf(STAMP))) {
  await build({ root: WEB, logLevel: 'warn' })
  await buildDocs(DOCS, DOC_STYLES, join(PAGE, 'docs'))
  await compressAll()
  await mkdir(dirname(STAMP), { recursive: true })
  await writeFile(STAMP, stamp)
}

async function stampOf(paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const path of paths) {
    for (const file of await filesIn(join(WEB, path))) {
      hash.update(`${file}\0`).update(await readFile(file))
    }
  }
  return hash.digest('hex')
}

async function filesIn(path: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(path, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile())
    return files.map(({ parentPath, name }) => join(parentPath, name)).sort()
  } catch {
    return [path]
  }
}

/** null: there is no such file. */
async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    return null
  }
}

/** The server sends what is compressed already. */
async function compressAll(): Promise<void> {
  for (const file of await filesIn(PAGE)) {
    if (!TEXTS.has(extname(file))) continue
    const text = await readFile(file)
    await writeFile(`${file}.gz`, await promisify(gzip)(text, { level: 9 }))
    await writeFile(`${file}.br`, await promisify(brotliCompress)(text))
  }
}
