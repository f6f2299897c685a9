import { readFileSync } from 'node:fs'
import { type GameRecord, positionsOf, readJgs } from '@junqi/engine'
import { expect, test } from 'vitest'
import { KeptPositions } from './kept-positions.ts'

function sample(game: number): { readonly record: GameRecord } {
  const path = new URL(`../../../engine/test/data/samples/game-${game}.jgs`, import.meta.url)
  const read = readJgs(new Uint8Array(readFileSync(path)))
  if (!read.ok) throw new Error(read.error.message)
  return { record: read.value }
}

const LONG = sample(4)
const length = LONG.record.actions.length

test('F-M1: while a long game is played through others have their turn, and it is played once', async () => {
  const kept = new KeptPositions()
  let turns = 0
  const others = () => {
    turns += 1
    timer = setImmediate(others)
  }
  let timer = setImmediate(others)
  const [positions, again] = await Promise.all([kept.of(LONG), kept.of(LONG)])
  clearImmediate(timer)
  expect(again).toBe(positions)
  expect(length).toBeGreaterThan(200)
  expect(turns).toBeGreaterThan(0)
  const whole = positionsOf(LONG.record)
  for (const n of [0, 1, length]) {
    expect(positions.viewAt(n, 'truth')).toEqual(whole.ok && whole.value.viewAt(n, 'truth'))
  }
})

test('F-M1: so many positions are kept in all, of those games that were asked for last', async () => {
  const kept = new KeptPositions(3 * (length + 1))
  const games = Array.from({ length: 5 }, () => ({ ...LONG }))
  const first = await Promise.all(games.map((game) => kept.of(game)))
  expect(kept.size).toBe(3 * (length + 1))
  for (const n of [4, 3, 2]) expect(await kept.of(games[n] ?? LONG)).toBe(first[n])
  // The fifth was not asked for the longest now.
  expect(await kept.of(games[0] ?? LONG)).not.toBe(first[0])
  expect(await kept.of(games[3] ?? LONG)).toBe(first[3])
  expect(await kept.of(games[4] ?? LONG)).not.toBe(first[4])
})

test('a game that is longer than all that is kept is kept alone', async () => {
  const kept = new KeptPositions(1)
  const positions = await kept.of(LONG)
  expect([await kept.of(LONG), kept.size]).toEqual([positions, length + 1])
})
