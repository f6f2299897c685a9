import { type GameRecord, recordOf } from '@junqi/engine'
import { describe, expect, test } from 'vitest'
import { playRandomly } from '../../../engine/test/random-game.ts'
import { filmOf, historyAt, piecesSeen, readRecordFile } from './replay-frames.ts'

const { rules, started, steps, end } = playRandomly({
  preset: 'duel',
  options: {},
  seed: 3,
  length: 40,
})
const events = steps.flatMap((step) => step.events)
const RECORD = recordOf(rules, [started, ...events])
const TEXT = JSON.stringify(RECORD)

describe('a record file', () => {
  test.each([
    ['as it is', TEXT],
    ['with a mark of its order of bytes', `\uFEFF${TEXT}`],
    ['indented', `\n\n ${JSON.stringify(RECORD, null, 2)}`],
  ])('is read %s', async (_, text) => {
    expect(await readRecordFile(new Blob([text]))).toEqual({ ok: true, value: RECORD })
  })

  test.each([
    ['empty', ''],
    ['half of it is missing', TEXT.slice(0, 99)],
    ['it is nested too deep', `{"format":${'['.repeat(99_999)}`],
    ['it is of another kind', '{"format":"junqi-record/2"}'],
    ['it is no record', 'GIF89a'],
    ['it is a list', '[]'],
  ])('is refused with a reason: %s', async (_, text) => {
    const error = { code: 'unreadable', detail: expect.stringMatching(/./) }
    expect(await readRecordFile(new Blob([text]))).toEqual({ ok: false, error })
  })

  test('is not even opened when it is too large for a game, or cannot be', async () => {
    const arrayBuffer = () => Promise.reject(new Error('not to be opened'))
    const read = (size: number) => readRecordFile({ size, arrayBuffer })
    expect(await read(10_000_001)).toEqual({ ok: false, error: { code: 'tooLarge' } })
    expect(await read(1)).toMatchObject({ error: { code: 'unreadable' } })
  })
})

describe('the film of a game', () => {
  const film = filmOf(RECORD)

  test('shows it before each action and at its end', () => {
    expect(film.states).toHaveLength(RECORD.actions.length + 1)
    expect(piecesSeen(film.states.at(-1) ?? end, 'truth')).toEqual(piecesSeen(end, 'truth'))
    expect(historyAt(film, 0)).toEqual([])
    expect(historyAt(film, film.states.length - 1)).toEqual(film.history)
  })

  test('ends before an illegal action', () => {
    const broken: GameRecord = { ...RECORD, actions: [...RECORD.actions.slice(0, 5), 'a1-a1'] }
    expect(filmOf(broken).states).toHaveLength(6)
  })

  test('R-SEE-1: tells as much as was seen: the own pieces to a seat, all as they were to nobody', () => {
    const [first = end] = film.states
    const known = (viewer: 'south' | 'truth') =>
      piecesSeen(first, viewer).filter(({ kind }) => kind !== 'hidden')
    expect(known('south')).toHaveLength(25)
    expect(known('truth')).toHaveLength(50)
  })
})
