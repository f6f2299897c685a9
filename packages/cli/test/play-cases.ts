import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PRESETS, type PresetName } from '@junqi/engine'
import { expect } from 'vitest'
import type { CliRun } from './run-cli.ts'

const DATA = new URL('../../engine/test/data/', import.meta.url)

export const samplePath = (game: number): string =>
  fileURLToPath(new URL(`samples/game-${game}.jgs`, DATA))

/** The sample games by their numbers, and how they end. */
export const SAMPLES = [
  [1, { winners: [], reason: 'quietMoves' }],
  [2, { winners: ['east', 'west'], reason: 'left' }],
  [3, { winners: ['south', 'north'], reason: 'flagCaptured' }],
  [4, { winners: ['east', 'west'], reason: 'resigned' }],
  [5, { winners: ['east', 'west'], reason: 'resigned' }],
  [6, { winners: ['east', 'west'], reason: 'resigned' }],
  [7, { winners: [], reason: 'quietMoves' }],
  [8, { winners: [], reason: 'agreed' }],
  [9, { winners: ['south', 'north'], reason: 'flagCaptured' }],
] as const

/** A record of the vectors. */
export interface RecordCase {
  readonly number: number
  readonly record: {
    readonly rules: { readonly preset: PresetName }
    readonly actions: readonly string[]
    readonly result: object | null
  }
}

type Trace = RecordCase & { readonly trace: readonly { readonly illegal?: true }[] }

/** Those that can be played to their end. */
export const PLAYABLE: readonly RecordCase[] = JSON.parse(
  readFileSync(new URL('traces.json', DATA), 'utf8'),
)
  .map((traced: Trace, number: number) => ({ ...traced, number }))
  .filter(({ trace }: Trace) => !trace.at(-1)?.illegal)

export function recordNumber(number: number): RecordCase['record'] {
  const found = PLAYABLE.find((traced) => traced.number === number)
  if (found === undefined) throw new Error(`no record ${number} that can be played`)
  return found.record
}

/** Whether it is soon over: of few actions, and of few turns that run out. */
export const isShort = ({ record: { actions } }: RecordCase): boolean =>
  actions.length <= 150 && actions.filter((action) => action.startsWith('timeout')).length <= 2

export const presetAndActions = ({ number, record }: RecordCase) =>
  [number, record.rules.preset, record.actions.length, record] as const

/** A play that ended with the record's result, without a difference, and with a line for everyone at the table. */
export function expectPlayed(
  { code, stdout, stderr }: CliRun,
  { rules, result }: RecordCase['record'],
): void {
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [first, ...receipts] = stdout.trimEnd().split('\n')
  expect(first).toBe(`result: ${JSON.stringify(result)}`)
  const viewers = [...PRESETS[rules.preset].seats, 'spectator']
  expect(receipts.map((receipt) => receipt.split(':')[0])).toEqual(viewers)
  for (const receipt of receipts) {
    expect(receipt).toMatch(/: [1-9]\d* messages, [1-9]\d* bytes from http:\/\/127\.0\.0\.1:\d+$/)
  }
}
