import { playerId } from '@junqi/protocol'
import { expect, test } from 'vitest'
import { Mutes } from './mutes.ts'

const [ann, bob] = ['0123456789aa', '0123456789bb'].map((id) => playerId.parse(id))

test('who is not heard is what was told last, and listeners hear of each change until they end it', () => {
  const mutes = new Mutes()
  expect([...mutes.players]).toEqual([])
  const heard: string[][] = []
  const stop = mutes.listen((players) => heard.push([...players]))
  const tell = (players: readonly (typeof ann | undefined)[]) =>
    mutes.receive({ type: 'mutes', players: players.flatMap((player) => player ?? []) })
  tell([ann, bob])
  tell([bob])
  expect([...mutes.players]).toEqual([bob])
  stop()
  tell([])
  expect(heard).toEqual([[ann, bob], [bob]])
  expect([...mutes.players]).toEqual([])
})
