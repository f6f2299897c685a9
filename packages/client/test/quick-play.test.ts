import { roomId, type ServerMessage } from '@junqi/protocol'
import { expect, test } from 'vitest'
import { accept, online, welcome } from './online.ts'

type Status = Extract<ServerMessage, { type: 'quickPlayStatus' }>

const WAITING: Status = {
  type: 'quickPlayStatus',
  state: 'waiting',
  preset: 'duel',
  since: 50_000,
  code: null,
  partner: null,
  noBotFree: false,
  room: null,
  seat: null,
}
const MATCHED: Status = {
  ...WAITING,
  state: 'matched',
  since: null,
  room: roomId.parse('k7w2m9qx'),
  seat: 'south',
}

test('a wish is asked for, and what becomes of it is told', async () => {
  const { world, client } = online()
  const { quickPlay } = client
  const told: unknown[] = []
  const stop = quickPlay.onChange(({ state, room }) => told.push([state, room]))
  expect(quickPlay.status).toBeNull()
  const joined = quickPlay.join({ preset: 'duel', bots: 'never' })
  expect(world.socket.received.at(-1)).toMatchObject({ type: 'quickPlay', preset: 'duel' })
  world.socket.push(WAITING)
  accept(world.socket)
  expect(await joined).toEqual({ ok: true, value: null })
  world.socket.push(MATCHED)
  stop()
  world.socket.push(WAITING)
  expect(told).toEqual([
    ['waiting', null],
    ['matched', MATCHED.room],
  ])
  client.close()
})

test.each([
  ['joinPair', 'K7W2-M9QX'],
  ['cancel', undefined],
  ['ask', undefined],
] as const)('%s is one message, whose refusal is told', async (name, code) => {
  const { world, client } = online()
  const asked = name === 'joinPair' ? client.quickPlay.joinPair(code) : client.quickPlay[name]()
  const message = world.socket.received.at(-1)
  world.socket.push({
    type: 'error',
    re: message?.id ?? null,
    code: 'not_waiting',
    message: 'You wait in no queue.',
    retryable: false,
    retryAfterMs: null,
    room: null,
    version: null,
    turn: null,
  })
  expect(await asked).toMatchObject({ ok: false, error: { code: 'not_waiting' } })
  client.close()
})

test('who waited asks how it stands on a new connection, and who sits at a table does not', async () => {
  const { world, client } = online()
  world.socket.push(WAITING)
  world.socket.end(1006)
  await world.pass(1_000)
  welcome(world.socket)
  expect(world.socket.received.map(({ type }) => type)).toEqual(['askQuickPlay'])
  accept(world.socket)
  world.socket.push(MATCHED)
  expect(client.quickPlay.status).toMatchObject({ state: 'matched' })
  world.socket.end(1006)
  await world.pass(1_000)
  welcome(world.socket)
  expect(world.socket.received).toEqual([])
  client.close()
})
