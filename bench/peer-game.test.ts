import { expect, test } from 'vitest'
import { peerGame } from './peer-game.ts'
import { benchRules, makeScript, statesOf } from './scripts.ts'

const script = makeScript(benchRules(), 120, 1)

test('the same script is the same game in every run', () => {
  expect(makeScript(benchRules(), 120, 1).moves).toEqual(script.moves)
})

test('a peer that applies what it is told has, but for seats that are out, the pieces of the game', () => {
  const game = peerGame(script)
  const pieces = new Map(game.pieces.map(([space, seat, kind]) => [space, `${seat} ${kind}`]))
  for (const { seat, from, to, left } of game.moves) {
    const mover = pieces.get(from)
    expect(mover?.split(' ')[0]).toBe(seat)
    pieces.delete(from)
    if (left === 'mover') pieces.set(to, String(mover))
    else if (left === 'none') pieces.delete(to)
  }
  const last = statesOf(script).at(-1)
  const left = (last?.pieces ?? []).flatMap((piece) =>
    piece === null ? [] : [`${piece.seat} ${piece.kind}`],
  )
  expect([...pieces.values()]).toEqual(expect.arrayContaining(left))
})
