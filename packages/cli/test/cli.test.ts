import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer } from '../../../test/support/server-process.ts'
import { main } from '../src/main.ts'
import { runCli } from './run-cli.ts'

const DATA = fileURLToPath(new URL('../../engine/test/data/', import.meta.url))
const BIN = fileURLToPath(new URL('../bin/junqi.js', import.meta.url))
const sample = (name: string): string => join(DATA, 'samples', name)
const json = (name: string) => JSON.parse(readFileSync(join(DATA, name), 'utf8'))

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'junqi-cli-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** A file in the test's own folder. */
async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

const DUEL = {
  format: 'junqi-record/1',
  rules: { preset: 'duel', options: {} },
  formations: { south: '963175358137B246L2LB4FL21', north: '963175358137B246L2LB4FL21' },
  first: 'south',
  actions: ['a6-a7'],
  result: null,
}

describe('junqi board', () => {
  test.each(['duel', 'siguo'])(
    'R-BOARD-3, R-BOARD-4: %s is the board of the vectors',
    async (name) => {
      const { code, stdout, stderr } = await runCli(['board', name])
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(JSON.parse(stdout)).toEqual(json('boards.json')[name])
    },
  )

  test('--ascii draws it', async () => {
    const { code, stdout } = await runCli(['board', '--ascii', 'siguo'])
    expect(code).toBe(0)
    expect(stdout.split('\n').at(-2)).toMatch(/^ {4}a {3}b .* q$/)
    expect(stdout.match(/\(\)/g)).toHaveLength(20)
    expect(stdout.match(/\{\}/g)).toHaveLength(8)
  })
})

describe('junqi convert', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9])(
    'game-%i.jgs becomes a record that traces to its result',
    async (game) => {
      const converted = await runCli(['convert', sample(`game-${game}.jgs`)])
      expect(converted).toMatchObject({ code: 0, stderr: '' })
      const traced = await runCli(['trace', '-'], { stdin: converted.stdout })
      expect(traced).toMatchObject({ code: 0, stderr: '' })
      const rows = traced.stdout.trimEnd().split('\n')
      const record = JSON.parse(converted.stdout)
      expect(rows).toHaveLength(record.actions.length)
      expect(JSON.parse(rows.at(-1) ?? '')).toMatchObject({ result: record.result, next: null })
      expect(record.result).not.toBeNull()
    },
  )

  test('a .jql becomes a formation', async () => {
    const { stdout } = await runCli(['convert', sample('formation.jql')])
    expect(stdout).toBe('963175358137B246L2LB4FL21\n')
  })

  test('reads the standard input too', async () => {
    const stdin = readFileSync(sample('formation.jql'))
    expect(await runCli(['convert', '-'], { stdin })).toMatchObject({ code: 0, stderr: '' })
  })
})

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9])(
  'junqi convert: the record of game-%i.jgs becomes a .jgs of the same game',
  (game) => {
    const convert = (input: Uint8Array) =>
      spawnSync(process.execPath, [BIN, 'convert', '-'], { input }).stdout
    const record = convert(readFileSync(sample(`game-${game}.jgs`)))
    const written = convert(record)
    expect(written.subarray(0, 11).toString('latin1')).toBe('QQGame JQS\0')
    expect(convert(written).toString()).toBe(record.toString())
  },
)

describe('junqi trace', () => {
  const vectors: { record: object; trace: { views?: object; illegal?: true }[] }[] =
    json('traces.json')

  test.each(vectors.map(({ record, trace }, i) => [i, record, trace] as const))(
    'trace %i of the vectors',
    async (_, record, trace) => {
      const { code, stdout } = await runCli(['trace', '-', '--views'], {
        stdin: JSON.stringify(record),
      })
      const rows = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
      const wanted = trace.map((row, i) => ({ views: rows[i]?.views, ...row }))
      expect(rows).toEqual(wanted)
      expect(code).toBe(trace.at(-1)?.illegal ? 1 : 0)
    },
  )

  test('has no views unless they are asked for', async () => {
    const plain = await runCli(['trace', '-'], { stdin: JSON.stringify(DUEL) })
    expect(Object.keys(JSON.parse(plain.stdout))).not.toContain('views')
    const viewed = await runCli(['trace', '--views', '-'], { stdin: JSON.stringify(DUEL) })
    expect(Object.keys(JSON.parse(viewed.stdout).views)).toEqual(['south', 'north', 'spectator'])
  })

  test('an illegal action has its row, a sentence and exit code 1', async () => {
    const stdin = JSON.stringify({ ...DUEL, actions: ['a6-a7', 'a1-a1', 'a2-a3'] })
    const { code, stdout, stderr } = await runCli(['trace', '-'], { stdin })
    expect(code).toBe(1)
    expect(stdout.trimEnd().split('\n').slice(1)).toEqual([
      '{"n":2,"action":"a1-a1","illegal":true}',
    ])
    expect(stderr).toBe('junqi: -: action 2 is illegal: a1-a1\n')
  })

  test('ends quietly when nobody reads any more', async () => {
    const gone = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
    expect(await runWithOutputFailing(gone)).toEqual({ code: 0, stderr: '' })
  })

  test('says so when its output cannot be written', async () => {
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    expect(await runWithOutputFailing(full)).toEqual({
      code: 1,
      stderr: 'junqi: cannot write the output: no space left\n',
    })
  })
})

/** A trace whose output fails from its second line on. */
async function runWithOutputFailing(error: Error) {
  let lines = 0
  let stderr = ''
  const stdout = new Writable({
    write: (_chunk, _encoding, done) => done(++lines > 1 ? error : null),
  })
  const code = await main(['trace', sample('game-9.jgs')], {
    stdin: Readable.from([]),
    stdout,
    stderr: new Writable({
      write(chunk, _encoding, done) {
        stderr += chunk
        done()
      },
    }),
  })
  expect(lines).toBe(2)
  return { code, stderr }
}

describe('junqi perft', () => {
  const vectors: { record: object; counts: number[] }[] = json('perft.json')
  const rows = vectors.flatMap(({ record, counts }, i) =>
    counts.map((count, d) => [i, d + 1, record, count] as const),
  )

  test.each(rows)('record %i of the vectors to depth %i', async (_, depth, record, count) => {
    const path = await fileOf('perft.json', JSON.stringify(record))
    expect(await runCli(['perft', path, `${depth}`])).toEqual({
      code: 0,
      stdout: `${count}\n`,
      stderr: '',
    })
  })

  test('shows how far it is on a terminal, and wipes that', async () => {
    const stdin = JSON.stringify({ ...DUEL, actions: [] })
    const { stdout, stderr } = await runCli(['perft', '-', '3'], { stdin, isTTY: true })
    expect(stdout).toBe('33579\n')
    const shown = stderr.split('\r\x1b[K')
    expect(shown).toHaveLength(33 + 2)
    expect(shown[1]).toBe('perft 3: 0 of 33 first moves, 0 sequences')
    expect(shown.at(-1)).toBe('')
  })

  test('an ended game has no sequences', async () => {
    expect(await runCli(['perft', sample('game-1.jgs'), '3'])).toMatchObject({ stdout: '0\n' })
  })

  test('a record with an illegal action is refused', async () => {
    const stdin = JSON.stringify({ ...DUEL, actions: ['a1-a1'] })
    expect(await runCli(['perft', '-', '1'], { stdin })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'junqi: -: action 1 is illegal: a1-a1\n',
    })
  })
})

describe('junqi help', () => {
  test.each([[['help']], [['--help']], [['-h']], [['help', 'help']]])(
    '%s lists every command',
    async (args) => {
      const { code, stdout } = await runCli(args)
      expect(code).toBe(0)
      for (const name of ['play', 'convert', 'trace', 'perft', 'board']) {
        expect(stdout).toContain(`  junqi ${name} `)
      }
    },
  )

  test.each([[['help', 'trace']], [['trace', '--help']], [['trace', 'x.json', '-h']]])(
    '%s explains one',
    async (args) => {
      const { code, stdout } = await runCli(args)
      expect(code).toBe(0)
      expect(stdout).toMatch(/^usage: junqi trace RECORD \[--views\]\n/)
    },
  )

  test('--version prints the version of the package', async () => {
    const { version } = JSON.parse(
      readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
    )
    for (const option of ['--version', '-v']) {
      expect(await runCli([option])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
    }
  })
})

const TRACE_USAGE = 'usage: junqi trace RECORD [--views]'
const PERFT_USAGE = 'usage: junqi perft RECORD DEPTH'

test.each([
  [[], 'a command is missing; `junqi help` lists them'],
  [['tarce'], /^there is no command tarce; there are serve, .* and help$/],
  [['help', 'tarce'], /^there is no command tarce; /],
  [['trace'], `RECORD is missing; ${TRACE_USAGE}`],
  [['trace', 'a', 'b'], `b is too much; ${TRACE_USAGE}`],
  [['trace', 'a', '--view'], `there is no option --view; ${TRACE_USAGE}`],
  [['trace', 'a', '-v'], `there is no option -v; ${TRACE_USAGE}`],
  [['trace', 'a', '--views=yes'], `--views takes no value; ${TRACE_USAGE}`],
  [['trace', 'a', '--toString'], `there is no option --toString; ${TRACE_USAGE}`],
  [['perft', 'a'], `DEPTH is missing; ${PERFT_USAGE}`],
  [['perft', 'a', 'two'], 'DEPTH must be a whole number from 0 to 99, not two'],
  [['perft', 'a', '1.5'], 'DEPTH must be a whole number from 0 to 99, not 1.5'],
  [['board', 'chess'], 'there is no board chess, only duel and siguo'],
])('a wrong command line %j gets a sentence and exit code 2', async (args, sentence) => {
  const { code, stdout, stderr } = await runCli(args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(/^junqi: [^\n]+\n$/)
  const said = stderr.slice('junqi: '.length, -1)
  if (typeof sentence === 'string') expect(said).toBe(sentence)
  else expect(said).toMatch(sentence)
})

describe('bad input gets a sentence and exit code 1', () => {
  const refusal = async (args: readonly string[], stdin: string | Uint8Array = '') => {
    const { code, stdout, stderr } = await runCli(args, { stdin })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^junqi: [^\n]+\n$/)
    return stderr.slice('junqi: '.length, -1)
  }

  test('a file that is not there', async () => {
    const path = join(folder, 'none.json')
    expect(await refusal(['trace', path])).toBe(`cannot read ${path}: no such file or directory`)
  })

  test('a folder', async () => {
    expect(await refusal(['trace', folder])).toBe(
      `cannot read ${folder}: illegal operation on a directory`,
    )
  })

  test('what is no JSON', async () => {
    expect(await refusal(['trace', '-'], '{')).toBe(
      '-: neither JSON nor a .jgs file; give a record',
    )
  })

  test('what is no UTF-8', async () => {
    expect(await refusal(['trace', '-'], Uint8Array.of(0x22, 0xff, 0x22))).toBe(
      '-: neither JSON nor a .jgs file; give a record',
    )
  })

  test('JSON that is no record', async () => {
    expect(await refusal(['trace', '-'], '[]')).toBe('-: a record must be a JSON object')
  })

  test('rules that do not hold', async () => {
    const record = { ...DUEL, rules: { preset: 'duel', options: { turnSeconds: 1 } } }
    expect(await refusal(['trace', '-'], JSON.stringify(record))).toContain('turnSeconds')
  })

  test('a formation where a record is needed', async () => {
    const path = sample('formation.jql')
    expect(await refusal(['trace', path])).toBe(`${path}: this is a formation; give a record`)
  })

  test('a .jgs cut short', async () => {
    const path = await fileOf('short.jgs', readFileSync(sample('game-1.jgs')).subarray(0, 1000))
    expect(await refusal(['convert', path])).toBe(
      `${path}: at 0x3e8: expected 347 entries, up to 0xf2a, found the end of the file`,
    )
  })

  test('a .jql that is empty', async () => {
    const path = await fileOf('empty.jql', '')
    expect(await refusal(['convert', path])).toBe(
      `${path}: at 0x0: expected the header of a .jql file, found the end of the file`,
    )
  })

  test('no kind of file that convert reads', async () => {
    expect(await refusal(['convert', '-'], '?')).toBe(
      '-: neither JSON nor a .jgs file; give a record',
    )
  })

  test('a record that .jgs cannot tell', async () => {
    expect(await refusal(['convert', '-'], JSON.stringify(DUEL))).toBe(
      '-: a .jgs file has four seats, and this game has 2: south, north',
    )
  })
})

describe('junqi reindex', () => {
  const reindex = (settings: Readonly<Record<string, string>>) =>
    spawnSync(process.execPath, [BIN, 'reindex'], {
      env: { PATH: process.env.PATH, ...settings },
      encoding: 'utf8',
    })

  test('says what it found and did', async () => {
    const data = join(folder, 'data')
    const server = await startServer({ JUNQI_DATA_DIR: data })
    await server.stop()
    const { status, stdout } = reindex({ JUNQI_DATA_DIR: data })
    expect([status, stdout]).toEqual([0, 'games: 0, added: 0, dropped: 0\n'])
  })

  test('makes no folder of a name that is misspelt', () => {
    const data = join(folder, 'daat')
    const { status, stderr } = reindex({ JUNQI_DATA_DIR: data })
    expect([status, stderr]).toEqual([
      1,
      `junqi: ${data} holds no games: name the folder of the server in JUNQI_DATA_DIR.\n`,
    ])
    expect(existsSync(data)).toBe(false)
  })

  test('has nothing to do where nothing is kept', () => {
    const { status, stderr } = reindex({ JUNQI_STORE: 'memory' })
    expect([status, stderr]).toEqual([
      1,
      'junqi: JUNQI_STORE="memory" keeps nothing of which an index could be made.\n',
    ])
  })

  test('says which setting keeps it from the store', () => {
    const { status, stderr } = reindex({ JUNQI_STORE: 'paper' })
    expect(status).toBe(1)
    expect(stderr).toContain('JUNQI_STORE="paper" cannot be used')
  })
})

describe('the installed command', () => {
  const spawn = (args: readonly string[], input = '') =>
    spawnSync(process.execPath, [BIN, ...args], { input, encoding: 'utf8' })

  test('reads the standard input and writes to the standard output', () => {
    const { status, stdout, stderr } = spawn(
      ['perft', '-', '2'],
      JSON.stringify({ ...DUEL, actions: [] }),
    )
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '1095\n', stderr: '' })
  })

  test('exits with the code of the command', () => {
    expect(spawn(['trace', 'none.json']).status).toBe(1)
    expect(spawn(['trace', '--all', 'none.json']).status).toBe(2)
  })

  test('ends quietly when its reader has gone', () => {
    const command = `"${process.execPath}" "${BIN}" trace --views "${sample('game-1.jgs')}" | head -n 1; exit "\${PIPESTATUS[0]}"`
    const { status, stdout, stderr } = spawnSync('bash', ['-c', command], { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout.split('\n')).toHaveLength(2)
  })
})
