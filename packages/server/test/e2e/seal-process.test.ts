import { gamesOf, verifyGame } from '@junqi/client'
import { type ViewedEvent, viewedEvent } from '@junqi/protocol'
import { afterEach, expect, test } from 'vitest'
import { begin, gather } from '../support/party.ts'
import { makeFolder, startProcess, stopProcesses } from '../support/server-process.ts'
import { command } from '../support/socket-table.ts'
import { type Message, TestClient } from '../support/test-app.ts'

afterEach(stopProcesses)

const eventsIn = (messages: readonly Message[]): readonly ViewedEvent[] =>
  messages.flatMap(({ type, events }) =>
    type === 'event' ? viewedEvent.array().parse(events) : [],
  )

/** The event of this type that everyone must have been told alike. */
function toldToAll<Type extends ViewedEvent['type']>(clients: readonly TestClient[], type: Type) {
  const isOfType = (event: ViewedEvent): event is Extract<ViewedEvent, { type: Type }> =>
    event.type === type
  const told = clients.map(({ messages }) => eventsIn(messages).find(isOfType))
  const [first] = told
  if (first === undefined) throw new Error(`${type} was not told`)
  expect(told).toEqual(told.map(() => first))
  return first
}

test('R-SEAL-1, R-SEAL-2, R-SEAL-3: what is sealed at the start, over a kill of the process, is what is opened at the end', async () => {
  const env = { JUNQI_DATA_DIR: makeFolder() }
  const first = await startProcess(env)
  const party = await gather(first.url, ['Ann', 'Bob', 'Eve'])
  const [ann, bob, eve] = party.clients
  if (ann === undefined || bob === undefined || eve === undefined) throw new Error('nobody')
  const room = await begin({ ...party, clients: [ann, bob] })
  await command(eve, { type: 'subscribe', room })
  await command(bob, { type: 'subscribe', room })
  const { commitments } = toldToAll([ann], 'gameSealed')
  expect(Object.keys(commitments)).toEqual(['south', 'north', 'first'])
  first.child.kill('SIGKILL')
  await first.exited

  const { url } = await startProcess(env)
  const seal = { commitments, salts: null }
  expect(await (await fetch(`${url}/v1/rooms/${room}`)).json()).toMatchObject({ seal })
  const again = await Promise.all(party.guests.map(({ token }) => TestClient.hello(url, token)))
  for (const client of again) {
    expect(await command(client, { type: 'subscribe', room })).toMatchObject({ view: { seal } })
  }
  const [host] = again
  if (host === undefined) throw new Error('nobody')
  const before = [...party.clients, ...again].map(({ messages }) => JSON.stringify(messages))
  await command(host, { type: 'leave', room })
  await Promise.all(
    again.map((client) =>
      client.find(({ events }) => JSON.stringify(events ?? '').includes('sealOpened')),
    ),
  )
  const { salts } = toldToAll(again, 'sealOpened')
  for (const salt of Object.values(salts)) expect(before.join()).not.toContain(salt)

  const record = await gamesOf({ url, token: null }).record(room)
  if (!record.ok) throw new Error(record.error.message)
  expect(record.value.seal).toEqual({ commitments, salts })
  expect(verifyGame(record.value, commitments)).toMatchObject({ holds: true })
})
