import { expect, test } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { ANN, BO, CAI } from '../../test/support/players.ts'
import { MemoryStore } from '../adapters/memory/memory-store.ts'
import { systemRng } from '../adapters/system-rng.ts'
import { makeLogger } from '../logger.ts'
import { type PlayerId, StoreUnavailableError } from '../ports.ts'
import { sentenceOfBan } from './ban.ts'
import { BANS_CHECK_MS, Bans } from './bans.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

function setUp() {
  const clock = new FakeClock()
  const truth = new MemoryStore({ clock, rng: systemRng })
  let isDown = false
  const store = {
    isShared: true,
    keepBan: truth.keepBan.bind(truth),
    dropBan: truth.dropBan.bind(truth),
    bans: async () => {
      if (isDown) throw new StoreUnavailableError('planted')
      return truth.bans()
    },
  }
  const logs: string[] = []
  const logger = makeLogger('trace', { write: (line) => void logs.push(line) })
  const openNode = async () => {
    const told: PlayerId[] = []
    const bans = new Bans({ store, clock, serviceClock: clock, logger })
    await bans.start((player) => void told.push(player))
    return { bans, told }
  }
  return { clock, truth, logs, openNode, breakDown: (down: boolean) => (isDown = down) }
}

const FOR_EVER = { reason: 'cheats', forMs: null }

test('a ban counts at once where it is made, and two seconds later at the other nodes', async () => {
  const { clock, openNode } = setUp()
  const [one, two] = [await openNode(), await openNode()]
  await one.bans.ban(ANN.id, FOR_EVER)
  expect(one.bans.of(ANN.id)).toEqual({ reason: 'cheats', since: clock.now(), until: null })
  expect([one.told, two.told]).toEqual([[ANN.id], []])
  await clock.advance(BANS_CHECK_MS)
  expect(two.bans.of(ANN.id)).toEqual(one.bans.of(ANN.id))
  expect([one.told, two.told]).toEqual([[ANN.id], [ANN.id]])
  expect(await two.bans.lift(ANN.id)).toBe(true)
  expect(await two.bans.lift(ANN.id)).toBe(false)
  await clock.advance(BANS_CHECK_MS)
  expect([one.bans.of(ANN.id), two.bans.of(ANN.id)]).toEqual([null, null])
})

test('a node that starts knows who is shut out', async () => {
  const { openNode } = setUp()
  await (await openNode()).bans.ban(ANN.id, FOR_EVER)
  const { bans } = await openNode()
  expect([bans.of(ANN.id), bans.of(BO.id)]).toMatchObject([{ reason: 'cheats' }, null])
})

test('a ban for a time ends by itself, is forgotten when they are listed, and can be made anew', async () => {
  const { clock, truth, openNode } = setUp()
  const [one, two] = [await openNode(), await openNode()]
  await one.bans.ban(ANN.id, { reason: '', forMs: MINUTE })
  await one.bans.ban(BO.id, FOR_EVER)
  await clock.advance(MINUTE - 1)
  expect(one.bans.of(ANN.id)).not.toBeNull()
  await clock.advance(1)
  expect([one, two].map(({ bans }) => bans.of(ANN.id))).toEqual([null, null])
  expect(two.told).toEqual([ANN.id, BO.id])
  await one.bans.ban(ANN.id, { reason: '', forMs: MINUTE })
  await clock.advance(BANS_CHECK_MS)
  expect(two.told).toEqual([ANN.id, BO.id, ANN.id])
  await clock.advance(MINUTE)
  expect([...(await one.bans.list()).keys()]).toEqual([BO.id])
  expect([...(await truth.bans()).keys()]).toEqual([BO.id])
})

test('while the store does not answer those that are known count, and no fault is logged', async () => {
  const { clock, openNode, logs, breakDown } = setUp()
  const [one, two] = [await openNode(), await openNode()]
  await one.bans.ban(ANN.id, FOR_EVER)
  await clock.advance(BANS_CHECK_MS)
  breakDown(true)
  await one.bans.ban(BO.id, FOR_EVER)
  await clock.advance(10 * BANS_CHECK_MS)
  expect([ANN, BO].map(({ id }) => two.bans.of(id) !== null)).toEqual([true, false])
  expect(logs).toEqual([])
  breakDown(false)
  await clock.advance(BANS_CHECK_MS)
  expect([ANN, BO].map(({ id }) => two.bans.of(id) !== null)).toEqual([true, true])
})

test('a look that was under way when somebody was shut out does not let it in again', async () => {
  const { openNode } = setUp()
  const { bans, told } = await openNode()
  const looking = bans.list()
  await Promise.all([bans.ban(CAI.id, FOR_EVER), looking])
  expect(bans.of(CAI.id)).not.toBeNull()
  expect(told).toEqual([CAI.id])
})

test.each<[string, number | null, string]>([
  ['', null, 'You are shut out of this server.'],
  ['cheats', null, 'You are shut out of this server. Why: cheats'],
  ['', 72 * HOUR, 'You are shut out of this server for 3 more days.'],
  ['', 48 * HOUR, 'You are shut out of this server for 2 more days.'],
  ['rude', 27.8 * HOUR, 'You are shut out of this server for 28 more hours. Why: rude'],
  ['', HOUR, 'You are shut out of this server for 1 more hour.'],
  ['', HOUR - 1, 'You are shut out of this server for 60 more minutes.'],
  ['', 1, 'You are shut out of this server for 1 more minute.'],
])('who is shut out is told for how long, and why: %j, %j', (reason, until, sentence) => {
  expect(sentenceOfBan({ reason, since: 0, until }, 0)).toBe(sentence)
})
