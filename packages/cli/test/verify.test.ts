import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { invariant, PRESETS, SEALABLES } from '@junqi/engine'
import { sealOf } from '@junqi/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runPython, testWithPython } from '../../../test/support/with-python.ts'
import { runCli } from './run-cli.ts'

const FORMATION = '963175358137B246L2LB4FL21'
const PLAYED = {
  format: 'junqi-record/1',
  rules: { preset: 'duel', options: { resignFromMove: 0 } },
  formations: { south: FORMATION, north: FORMATION },
  first: 'south',
  actions: ['a6-a7', 'resign north'],
  result: { winners: ['south'], reason: 'resigned' },
} as const
const SALTS = Object.fromEntries(SEALABLES.map((name, n) => [name, `${n}a`.repeat(32)]))
const seal = sealOf(PRESETS.duel, { ...PLAYED }, SALTS)
const { south, north, first } = seal.commitments
const GAME = { ...PLAYED, seal }
/** North with its two last pieces exchanged. */
const CHANGED = { ...GAME, formations: { south: FORMATION, north: `${FORMATION.slice(0, -2)}12` } }

const verify = (record: object, ...options: readonly string[]) =>
  runCli(['verify', '-', ...options], { stdin: JSON.stringify(record) })

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'junqi-verify-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function fileOf(name: string, content: unknown): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, JSON.stringify(content))
  return path
}

const HOLDING = [
  'actions: all 2 are legal',
  'result: {"winners":["south"],"reason":"resigned"}, as the actions lead to',
  'south: the formation is the one that was sealed',
  'north: the formation is the one that was sealed',
  'first: the seat that began is the one that was sealed',
]

describe('R-SEAL-3: junqi verify', () => {
  test('R-SEAL-3: says that a record agrees with its own seal, and what else can be checked', async () => {
    const { code, stdout, stderr } = await verify(GAME)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.trimEnd().split('\n')).toEqual([
      ...HOLDING,
      expect.stringMatching(/agrees with its own seal\. With --seal/),
    ])
  })

  test('what a record says of itself cannot look like a line of ours', async () => {
    const forged = '\r\x1b[2Kactions: all 2 are legal\nfirst: the seat that began\x1b[8m'
    const { code, stdout, stderr } = await verify({ ...GAME, actions: [forged] })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^actions: action 1 is illegal: \\u000d\\u001b\[2Kactions: all/)
    expect(stdout.split('\n')).not.toContain('first: the seat that began')
    for (const text of [stdout, stderr]) expect(text).not.toMatch(/[^\P{C}\n]/u)
  })

  test.each<[string, unknown]>([
    ['commitments', seal.commitments],
    ['the seal of a view', { commitments: seal.commitments, salts: null }],
    ['the seal of a view at the end', seal],
  ])('R-SEAL-3: takes %s as what was told, in a file or as it is', async (_, told) => {
    for (const given of [await fileOf('told.json', told), JSON.stringify(told)]) {
      const { code, stdout, stderr } = await verify(GAME, '--seal', given)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout.trimEnd().split('\n')).toEqual([
        ...HOLDING,
        'This is the game that was sealed at its start, as you were told then.',
      ])
    }
  })

  const OTHER = 'NOT what was sealed: the commitment is to something else'
  const UNTOLD = 'NOT what was told at the start: the commitment is another one'
  const resealed = { ...CHANGED, seal: sealOf(PRESETS.duel, CHANGED, SALTS) }
  test.each<[string, object, object | null, string]>([
    ['a changed formation', CHANGED, null, `north: ${OTHER}`],
    ['a changed formation with a seal of its own', resealed, seal.commitments, `north: ${UNTOLD}`],
    ['other commitments', GAME, { south: north, north, first }, `south: ${UNTOLD}`],
    ['fewer commitments', GAME, { south, first }, `north: ${UNTOLD}`],
    [
      'no seal',
      PLAYED,
      seal.commitments,
      'seal: the record has none: nothing shows what was played',
    ],
    [
      'an illegal action',
      { ...GAME, actions: ['a6-e12'] },
      null,
      'actions: action 1 is illegal: a6-e12',
    ],
    [
      'another result',
      { ...GAME, result: { winners: ['north'], reason: 'resigned' } },
      null,
      'result: {"winners":["north"],"reason":"resigned"}, but the actions lead to {"winners":["south"],"reason":"resigned"}',
    ],
  ])('R-SEAL-3: says of %s what does not hold, with exit code 1', async (_, record, told, line) => {
    const options = told === null ? [] : ['--seal', JSON.stringify(told)]
    const { code, stdout, stderr } = await verify(record, ...options)
    expect(code).toBe(1)
    expect(stdout.split('\n')).toContain(line)
    expect(stderr).toBe('junqi: -: this is not shown to be the game that was played\n')
  })

  test.each<[string, object, readonly string[], number, string]>([
    ['a seal that is none', { ...GAME, seal: 1 }, [], 1, '-: the seal must be an object'],
    [
      'commitments that are none',
      GAME,
      ['--seal', '{"south":1}'],
      1,
      '--seal: no commitments; give',
    ],
    ['a file that is missing', GAME, ['--seal', 'no/such.json'], 1, 'cannot read no/such.json'],
    ['two seals', GAME, ['--seal', '{}', '--seal', '{}'], 2, '--seal is given twice'],
    ['no value', GAME, ['--seal'], 2, '--seal needs a value'],
  ])('R-SEAL-3: refuses %s', async (_, record, options, exitCode, message) => {
    const { code, stdout, stderr } = await verify(record, ...options)
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' })
    expect(stderr).toContain(message)
  })
})

testWithPython('R-SEAL-3: the program of docs/verify.md comes to the same', async () => {
  const page = readFileSync(new URL('../../../docs/verify.md', import.meta.url), 'utf8')
  const [, program] = /```python\n(.*?)```/s.exec(page) ?? []
  invariant(program !== undefined, 'the page has a program')
  const run = async (record: object) => {
    const args = [await fileOf('game.json', record), JSON.stringify(seal.commitments)]
    return runPython(program, args).trimEnd().split('\n')
  }
  expect(await run(GAME)).toEqual(['south holds', 'north holds', 'first holds'])
  expect(await run(CHANGED)).toEqual(['south holds', 'north DOES NOT HOLD', 'first holds'])
})
