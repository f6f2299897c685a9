import { expect, test } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { MemoryStore } from '../adapters/memory/memory-store.ts'
import { systemRng } from '../adapters/system-rng.ts'
import { Accounts } from './accounts.ts'
import { BotAccounts } from './bot-accounts.ts'

const KEY = 'sixteen-letters-at-least'

function setUp() {
  const clock = new FakeClock()
  const store = new MemoryStore({ clock, rng: systemRng })
  const open = (key: string) => new BotAccounts({ key, store, clock })
  return { store, open, accounts: new Accounts({ store, rng: systemRng, clock }) }
}

test('the same key, name and level are the same bot, for ever; a name or level more is another', async () => {
  const { open, store } = setUp()
  const one = await open(KEY).account('easy-1', 'easy')
  expect(await open(KEY).account('easy-1', 'easy')).toEqual(one)
  const others = await Promise.all([
    open(KEY).account('easy-2', 'easy'),
    open(KEY).account('easy-1', 'hard'),
    open(`${KEY}!`).account('easy-1', 'easy'),
  ])
  const ids = [one, ...others].map(({ player }) => player.id)
  expect(new Set(ids).size).toBe(4)
  expect((await store.bots()).map(({ id }) => id).sort()).toEqual(ids.sort())
})

test('F-R5: a bot is known by its token as any player, marked as a bot, and by its id or key nobody is', async () => {
  const { open, accounts } = setUp()
  const { player, token } = await open(KEY).account('hard-1', 'hard')
  expect(player).toEqual({ id: player.id, name: 'hard-1', bot: 'hard' })
  expect(await accounts.authenticate(token)).toEqual(player)
  expect(await accounts.authenticate(`${player.id}.${'A'.repeat(43)}`)).toBeNull()
  expect(token).not.toContain(KEY)
})

test('F-R5: no other key is the key', () => {
  const bots = setUp().open(KEY)
  expect(bots.isKey(KEY)).toBe(true)
  for (const wrong of ['', KEY.slice(1), `${KEY} `, KEY.toUpperCase()]) {
    expect(bots.isKey(wrong)).toBe(false)
  }
})

test('a guest is no bot, and is in no list of them', async () => {
  const { accounts, store } = setUp()
  const { player, token } = await accounts.createGuest('hard-1')
  expect(await accounts.authenticate(token)).toEqual({ id: player.id, name: 'hard-1' })
  expect(await store.bots()).toEqual([])
})
