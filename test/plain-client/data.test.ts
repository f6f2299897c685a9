import { readFileSync } from 'node:fs'
import { ok, readJgs } from '@junqi/engine'
import { expect, test } from 'vitest'
import { GAMES, readGame } from './record.ts'

test.each(GAMES)('data/game-%i.json is the record of its file', (number) => {
  const file = `../../packages/engine/test/data/samples/game-${number}.jgs`
  const converted = readJgs(readFileSync(new URL(file, import.meta.url)))
  expect(converted).toEqual(ok(readGame(number)))
})
