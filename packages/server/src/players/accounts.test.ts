import { createHash, timingSafeEqual } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { MemoryStore } from '../adapters/memory/memory-store.ts'
import { systemRng } from '../adapters/system-rng.ts'
import { StoreUnavailableError } from '../ports.ts'
import { Accounts } from './accounts.ts'
import { makeToken } from './token.ts'

vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>()
  return { ...crypto, timingSafeEqual: vi.fn(crypto.timingSafeEqual) }
})

function setUp() {
  const clock = new FakeClock()
  const store = new MemoryStore({ clock, rng: systemRng })
  const lookUps: string[] = []
  const players = {
    createPlayer: store.createPlayer.bind(store),
    bots: store.bots.bind(store),
    findPlayer: async (id: Parameters<typeof store.findPlayer>[0]) => {
      lookUps.push(id)
      return store.findPlayer(id)
    },
  }
  return {
    accounts: new Accounts({ store: players, rng: systemRng, clock }),
    lookUps,
    players,
    store,
  }
}

describe('F-R5: a token', () => {
  test('is its player, and nobody else', async () => {
    const { accounts } = setUp()
    const ann = await accounts.createGuest('Ann')
    const bob = await accounts.createGuest('Bob')
    expect(await accounts.authenticate(ann.token)).toEqual(ann.player)
    expect(await accounts.authenticate(bob.token)).toEqual(bob.player)
    const [, secret] = bob.token.split('.')
    expect(await accounts.authenticate(`${ann.player.id}.${secret}`)).toBeNull()
  })

  test.each([
    ['nothing', ''],
    ['the id alone', 'ID'],
    ['the id and a dot', 'ID.'],
    ['one letter changed', 'ID.CHANGED'],
    ['one letter more', 'TOKENx'],
    ['one letter less', 'SHORT'],
    ['blanks around', ' TOKEN '],
    ['capitals in the id', 'UPPER'],
    ['a player that is not there', `000000000000.${'A'.repeat(43)}`],
  ])('is wrong with %s', async (_, pattern) => {
    const { accounts } = setUp()
    const { player, token } = await accounts.createGuest('Ann')
    const [id = '', secret = ''] = token.split('.')
    const changed = `${secret.startsWith('A') ? 'B' : 'A'}${secret.slice(1)}`
    const attempt = pattern
      .replace('ID', id)
      .replace('CHANGED', changed)
      .replace('TOKEN', token)
      .replace('SHORT', token.slice(0, -1))
      .replace('UPPER', `Q${token.slice(1)}`)
    expect(await accounts.authenticate(attempt)).toBeNull()
    expect(await accounts.authenticate(token)).toEqual(player)
  })

  test('is stored as its hash alone', async () => {
    const { accounts, store } = setUp()
    const { player, token } = await accounts.createGuest('Ann')
    const record = JSON.stringify(await store.findPlayer(player.id))
    const { tokenHash } = JSON.parse(record)
    expect(record).not.toContain(token.split('.')[1])
    expect(tokenHash).toBe(createHash('sha256').update(token).digest('hex'))
    expect(await accounts.authenticate(`${player.id}.${tokenHash}`)).toBeNull()
  })
})

test('F-R5: the secret of a token is chance, nothing that follows from the id', async () => {
  const { player } = await setUp().accounts.createGuest('Ann')
  const tokens = Array.from({ length: 3 }, () => makeToken(player.id, systemRng))
  expect(new Set(tokens).size).toBe(3)
})

test('F-R5: every token of the right form is compared in constant time, also nobody’s', async () => {
  const { accounts } = setUp()
  const { player } = await accounts.createGuest('Ann')
  for (const id of [player.id, '000000000000']) {
    vi.mocked(timingSafeEqual).mockClear()
    expect(await accounts.authenticate(`${id}.${'A'.repeat(43)}`)).toBeNull()
    expect(timingSafeEqual).toHaveBeenCalledTimes(1)
  }
})

test('F-R4: wrong tokens of a player, before and after, leave the right one as it was', async () => {
  const { accounts } = setUp()
  const { player, token } = await accounts.createGuest('Ann')
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 20; n++) {
      expect(await accounts.authenticate(`${player.id}.${String(n).padStart(43, 'A')}`)).toBeNull()
    }
    expect(await accounts.authenticate(token)).toEqual(player)
  }
})

test('a token that was right is known without the store; a wrong one never is', async () => {
  const { accounts, lookUps } = setUp()
  const { player, token } = await accounts.createGuest('Ann')
  const wrong = `${player.id}.${'A'.repeat(43)}`
  for (let n = 0; n < 3; n++) {
    expect(await accounts.authenticate(token)).toEqual(player)
    expect(await accounts.authenticate(wrong)).toBeNull()
  }
  expect(lookUps.length).toBe(4)
})

test('while the store does not answer nobody is let in, and nobody is turned away for good', async () => {
  const { accounts, players } = setUp()
  const { player, token } = await accounts.createGuest('Ann')
  const find = players.findPlayer
  players.findPlayer = async () => {
    throw new StoreUnavailableError('planted')
  }
  await expect(accounts.authenticate(token)).rejects.toThrow(StoreUnavailableError)
  players.findPlayer = find
  expect(await accounts.authenticate(token)).toEqual(player)
})
