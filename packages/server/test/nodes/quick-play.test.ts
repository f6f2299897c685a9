import { PRESET_NAMES, PRESETS, type Seat } from '@junqi/engine'
import {
  type BotLevel,
  type Player,
  type RoomId,
  roomId,
  type ServerMessage,
} from '@junqi/protocol'
import { describe, expect, test } from 'vitest'
import { PATIENCE_MS } from '../../src/quick-play/matching.ts'
import { BOT_ROOMS_PER_PLAYER, SEATS_PER_PLAYER } from '../../src/room/seats.ts'
import type { FakeSession } from '../support/fake-session.ts'
import { Nodes } from '../support/nodes.ts'
import { ANN, BO, CAI, DEE, EVE, playerNumber } from '../support/players.ts'

type Fields = Readonly<Record<string, unknown>>
type Status = Extract<ServerMessage, { type: 'quickPlayStatus' }>

/** Longer than it takes to gather who comes, and than the looks of all nodes. */
const SOON_MS = 2_000
const REPAIRED_MS = 10_000

/** The game whose result changed somebody’s strength. */
const STRENGTHS = roomId.parse('00000000')

const status = (session: FakeSession): Status => session.last('quickPlayStatus')
const AT_ONCE = { afterSeconds: 0, level: 'easy' } as const
const states = (session: FakeSession): readonly string[] =>
  session.of('quickPlayStatus').map(({ state }) => state)

/** The player waits, at the node of its number. */
async function wait(nodes: Nodes, player: Player, n: number, fields: Fields = {}) {
  const session = nodes.at(n).connect(player)
  await nodes.at(n).do(session, { type: 'quickPlay', preset: 'duel', bots: 'never', ...fields })
  return session
}

async function inviteAndJoin(nodes: Nodes, [one, other]: readonly [Player, Player]) {
  const inviting = await wait(nodes, one, 0, { preset: 'siguo', with: 'partner' })
  const partner = nodes.at(1).connect(other)
  await nodes.at(1).do(partner, { type: 'joinPair', code: status(inviting).code })
  return [inviting, partner] as const
}

/** Each room with the players on its seats, which must be all of its seats. */
async function tablesOf(nodes: Nodes, sessions: readonly FakeSession[]) {
  const tables = new Map<RoomId, Map<Seat, Player>>()
  for (const session of sessions) {
    const { state, room, seat } = status(session)
    if (room === null || seat === null) throw new Error(`${session.player.id} is ${state}`)
    const { seats, phase, rules } = await nodes.at(0).view(room, session.player)
    expect(phase).toBe('deployment')
    expect(seats[seat]?.player).toEqual(session.player)
    expect(session.of('seated').map((message) => message.room)).toContain(room)
    const taken = rules.ruleSet.seats.flatMap((each) => {
      const player = seats[each]?.player
      return player === undefined ? [] : [[each, player] as const]
    })
    tables.set(room, new Map(taken))
  }
  return tables
}

/** Every table is full, and every player is at one. */
async function expectAllSeated(nodes: Nodes, sessions: readonly FakeSession[], seatsEach: number) {
  const tables = await tablesOf(nodes, sessions)
  const seated = [...tables.values()].flatMap((table) => [...table.values()].map(({ id }) => id))
  expect(seated.sort()).toEqual(sessions.map(({ player }) => player.id).sort())
  for (const table of tables.values()) expect(table.size).toBe(seatsEach)
}

describe('a table', () => {
  test('is found for two who wait at different nodes, and both are told', async () => {
    const nodes = await Nodes.open()
    const ann = await wait(nodes, ANN, 0)
    expect(status(ann)).toEqual({
      type: 'quickPlayStatus',
      state: 'waiting',
      preset: 'duel',
      since: nodes.clock.now(),
      code: null,
      partner: null,
      noBotFree: false,
      room: null,
      seat: null,
    })
    await nodes.clock.advance(SOON_MS)
    expect(states(ann)).toEqual(['waiting'])
    const bo = await wait(nodes, BO, 1)
    await nodes.clock.advance(SOON_MS)
    expect([states(ann), states(bo)]).toEqual([
      ['waiting', 'matched'],
      ['waiting', 'matched'],
    ])
    await expectAllSeated(nodes, [ann, bo], 2)
    expect(status(ann).room).toBe(status(bo).room)
    expect(await nodes.at(1).say(bo, { type: 'cancelQuickPlay' })).toMatchObject({
      code: 'not_waiting',
      message: 'A table was found, and you have a seat at it: say stand or leave in its room.',
    })
    expect(nodes.faults).toEqual([])
  })

  test('plays by the preset’s own rules, and without scoring for who asked for a friendly game', async () => {
    const nodes = await Nodes.open()
    const [ann] = [await wait(nodes, ANN, 0), await wait(nodes, BO, 1)]
    const [cai] = [
      await wait(nodes, CAI, 0, { rated: false }),
      await wait(nodes, DEE, 1, { rated: false }),
    ]
    await nodes.clock.advance(SOON_MS)
    const rulesOf = async (session: FakeSession) => {
      const { room } = status(session)
      if (room === null) throw new Error('not matched')
      return (await nodes.at(0).view(room, session.player)).rules
    }
    expect(await rulesOf(ann)).toEqual({ preset: 'duel', options: {}, ruleSet: PRESETS.duel })
    expect((await rulesOf(cai)).ruleSet).toEqual({ ...PRESETS.duel, scoring: 'none' })
  })

  test('R-SCORE-8: is found with those of one’s own strength in the preset, and later with any', async () => {
    const nodes = await Nodes.open()
    const addTo = (player: Player, mu: number) =>
      nodes.store.truth.addOnce(player.id, STRENGTHS, { add: { 'mu:duel': mu }, line: '{}' })
    // 25 is what everyone begins with; a millionth is one.
    for (const player of [ANN, CAI]) await addTo(player, 12_000_000)
    const [ann, bo] = [await wait(nodes, ANN, 0), await wait(nodes, BO, 1)]
    await nodes.clock.advance(SOON_MS)
    expect([states(ann), states(bo)]).toEqual([['waiting'], ['waiting']])
    const cai = await wait(nodes, CAI, 1)
    await nodes.clock.advance(SOON_MS)
    expect(status(ann).room).toBe(status(cai).room)
    const dee = await wait(nodes, DEE, 0)
    await nodes.clock.advance(SOON_MS)
    expect([status(bo).state, status(bo).room]).toEqual(['matched', status(dee).room])

    const [fresh, strong] = [await wait(nodes, EVE, 0), await wait(nodes, ANN, 1)]
    await nodes.clock.advance(10_000)
    expect([states(fresh).at(-1), status(strong).state]).toEqual(['waiting', 'waiting'])
    await nodes.clock.advance(PATIENCE_MS)
    expect(status(fresh).room).toBe(status(strong).room)
  })

  test('R-FLIP-1: of a flip game is in play at once', async () => {
    const nodes = await Nodes.open()
    const [ann] = [
      await wait(nodes, ANN, 0, { preset: 'flip' }),
      await wait(nodes, BO, 1, { preset: 'flip' }),
    ]
    await nodes.clock.advance(SOON_MS)
    const { room } = status(ann)
    if (room === null) throw new Error('not matched')
    const { phase, game } = await nodes.at(1).view(room, BO)
    expect([phase, game?.pieces.length]).toEqual(['playing', 50])
    expect(nodes.faults).toEqual([])
  })

  test('R-DEPLOY-7: starts with the formations of chance if nobody shows up', async () => {
    const nodes = await Nodes.open()
    const [ann, bo] = [await wait(nodes, ANN, 0), await wait(nodes, BO, 1)]
    await nodes.clock.advance(SOON_MS)
    const { room } = status(ann)
    if (room === null) throw new Error('not matched')
    nodes.at(0).disconnect(ann)
    nodes.at(1).disconnect(bo)
    await nodes.clock.advance(PRESETS.duel.deploymentSeconds * 1_000 + SOON_MS)
    expect((await nodes.at(0).view(room, ANN)).phase).toBe('playing')
  })

  test('F-S1: 100 who come at once fill exactly the seats that there are', async () => {
    const nodes = await Nodes.open(3)
    const players = Array.from({ length: 100 }, (_, n) => playerNumber(n))
    const sessions = await Promise.all(players.map((player, n) => wait(nodes, player, n % 3)))
    await nodes.clock.advance(SOON_MS)
    await expectAllSeated(nodes, sessions, 2)
    const rooms = new Set(sessions.map((session) => status(session).room))
    expect((await nodes.store.truth.lobby(1_000)).map(({ room }) => room).sort()).toEqual(
      [...rooms].sort(),
    )
    expect(nodes.faults).toEqual([])
  })

  test('nobody is forgotten and nobody twice: 200 at once, pairs among them, while hints are lost', async () => {
    const nodes = await Nodes.open()
    nodes.store.hints = 'lost'
    const players = Array.from({ length: 200 }, (_, n) => playerNumber(n))
    const singles = players.slice(40)
    const pairs = Array.from(
      { length: 20 },
      (_, n) => [players[2 * n], players[2 * n + 1]] as const,
    )
    const sessions = await Promise.all([
      ...pairs.map(([one = ANN, other = BO]) => inviteAndJoin(nodes, [one, other])),
      ...singles.map(async (player, n) => [await wait(nodes, player, n % 2, { preset: 'siguo' })]),
    ])
    await nodes.clock.advance(REPAIRED_MS)
    const all = sessions.flat()
    const rooms = new Set(all.map((session) => status(session).room))
    expect(rooms.size).toBe(50)
    const taken = new Set(all.map((session) => `${status(session).room} ${status(session).seat}`))
    expect(taken.size).toBe(200)
    for (const pair of sessions.filter(({ length }) => length === 2)) {
      expect(new Set(pair.map((session) => status(session).room)).size).toBe(1)
      const seats = pair.map((session) => status(session).seat)
      expect(
        PRESETS.siguo.alliances.some((alliance) =>
          seats.every((s) => s !== null && alliance.includes(s)),
        ),
      ).toBe(true)
    }
    expect(nodes.faults).toEqual([])
  })
})

describe('a wish', () => {
  test('is one at a time, on all nodes together, and is taken back by its player', async () => {
    const nodes = await Nodes.open()
    const ann = await wait(nodes, ANN, 0)
    const tab = nodes.at(1).connect(ANN)
    const wish = { type: 'quickPlay', preset: 'siguo', bots: 'never' }
    expect(await nodes.at(1).refusal(tab, wish)).toBe('already_waiting')
    await nodes.at(1).do(tab, { type: 'cancelQuickPlay' })
    await nodes.clock.advance(SOON_MS)
    expect([states(ann), states(tab)]).toEqual([['waiting', 'cancelled'], ['cancelled']])
    expect(await nodes.at(1).say(tab, { type: 'cancelQuickPlay' })).toMatchObject({
      code: 'not_waiting',
      message: 'You wait in no queue.',
    })
    await nodes.at(1).do(tab, wish)
    expect(states(tab)).toEqual(['cancelled', 'waiting'])
  })

  test('F-R2: repeated with its id, at whichever node, it is the same, also when it was granted', async () => {
    const nodes = await Nodes.open()
    const wish = { type: 'quickPlay', id: 'wish', preset: 'duel', bots: 'never' }
    const ann = await wait(nodes, ANN, 0, { id: 'wish' })
    const again = nodes.at(1).connect(ANN)
    await nodes.at(1).do(again, wish)
    expect(status(again)).toEqual(status(ann))
    expect((await nodes.store.truth.readQueue()).tickets).toHaveLength(1)
    await wait(nodes, BO, 1)
    await nodes.clock.advance(SOON_MS)
    await nodes.at(1).do(again, wish)
    expect(status(again)).toEqual(status(ann))
    expect(status(again).state).toBe('matched')
    expect((await nodes.store.truth.readQueue()).tickets).toEqual([])
  })

  test('what became of it can be asked for on a new connection', async () => {
    const nodes = await Nodes.open()
    const ask = async (player: Player) => {
      const session = nodes.at(1).connect(player)
      await nodes.at(1).do(session, { type: 'askQuickPlay' })
      return status(session).state
    }
    expect(await ask(ANN)).toBe('idle')
    await wait(nodes, ANN, 0)
    expect(await ask(ANN)).toBe('waiting')
    await wait(nodes, BO, 0)
    await nodes.clock.advance(SOON_MS)
    expect(await ask(ANN)).toBe('matched')
  })

  test('who is away for long waits no more, who is back soon does', async () => {
    const nodes = await Nodes.open()
    const [ann, bo] = [await wait(nodes, ANN, 0), await wait(nodes, BO, 1, { preset: 'siguo' })]
    nodes.at(0).disconnect(ann)
    nodes.at(1).disconnect(bo)
    await nodes.clock.advance(10_000)
    const back = nodes.at(0).connect(BO)
    await nodes.clock.advance(10_000)
    await nodes.at(0).do(back, { type: 'askQuickPlay' })
    expect(status(back).state).toBe('waiting')
    expect((await nodes.store.truth.readQueue()).tickets).toHaveLength(1)
    expect(await nodes.store.truth.queuedOf(ANN.id)).toBeNull()
  })

  test('nobody is matched with who is away just now', async () => {
    const nodes = await Nodes.open()
    const ann = await wait(nodes, ANN, 0)
    nodes.at(0).disconnect(ann)
    const bo = await wait(nodes, BO, 1)
    await nodes.clock.advance(SOON_MS)
    expect(states(bo)).toEqual(['waiting'])
    nodes.at(1).connect(ANN)
    await nodes.clock.advance(SOON_MS)
    expect(states(bo)).toEqual(['waiting', 'matched'])
  })

  test('too many wishes of one player are refused, over all nodes together', async () => {
    const nodes = await Nodes.open()
    const tabs = [nodes.at(0).connect(ANN), nodes.at(1).connect(ANN)]
    const codes: string[] = []
    for (let n = 0; n < 40; n++) {
      const reply = await nodes.at(n % 2).say(tabs[n % 2] as FakeSession, {
        type: 'joinPair',
        code: 'zzzz zzzz',
      })
      codes.push(reply.type === 'error' ? reply.code : reply.type)
    }
    expect(codes.filter((code) => code === 'no_such_pair')).toHaveLength(30)
    expect(codes.slice(30)).toEqual(Array(10).fill('rate_limited'))
  })
})

describe('a pair', () => {
  test('waits as one, sits as allies, and each sees the other', async () => {
    const nodes = await Nodes.open()
    const [ann, bo] = await inviteAndJoin(nodes, [ANN, BO])
    expect(status(ann)).toMatchObject({ state: 'inviting' })
    expect(status(bo)).toMatchObject({ state: 'waiting', partner: ANN, code: null })
    await nodes.clock.advance(SOON_MS)
    expect(status(ann)).toMatchObject({ state: 'waiting', partner: BO, code: null })
    const others = [
      await wait(nodes, CAI, 0, { preset: 'siguo' }),
      await wait(nodes, DEE, 1, { preset: 'siguo' }),
    ]
    await nodes.clock.advance(SOON_MS)
    await expectAllSeated(nodes, [ann, bo, ...others], 4)
    expect([status(ann).seat, status(bo).seat]).toEqual(['south', 'north'])
  })

  test('is not matched before the partner is there', async () => {
    const nodes = await Nodes.open()
    const ann = await wait(nodes, ANN, 0, { preset: 'siguo', with: 'partner' })
    for (const player of [BO, CAI, DEE]) await wait(nodes, player, 1, { preset: 'siguo' })
    await nodes.clock.advance(SOON_MS)
    expect(states(ann)).toEqual(['inviting'])
  })

  test('when one takes it back, the other waits no more either', async () => {
    const nodes = await Nodes.open()
    const [ann, bo] = await inviteAndJoin(nodes, [ANN, BO])
    await nodes.at(1).do(bo, { type: 'cancelQuickPlay' })
    await nodes.clock.advance(SOON_MS)
    expect([status(ann).state, status(bo).state]).toEqual(['cancelled', 'cancelled'])
  })

  test('takes its code as people type it, once, from another player who does not wait', async () => {
    const nodes = await Nodes.open()
    const ann = await wait(nodes, ANN, 0, { preset: 'siguo', with: 'partner' })
    const { code } = status(ann)
    expect(await nodes.at(0).refusal(ann, { type: 'joinPair', code })).toBe('no_such_pair')
    const cai = await wait(nodes, CAI, 1)
    expect(await nodes.at(1).refusal(cai, { type: 'joinPair', code })).toBe('already_waiting')
    const bo = nodes.at(1).connect(BO)
    expect(await nodes.at(1).refusal(bo, { type: 'joinPair', code: 'no code' })).toBe(
      'no_such_pair',
    )
    const typed = ` ${code?.toLowerCase().replace('-', ' ')}`
    await nodes.at(1).do(bo, { type: 'joinPair', id: 'j', code: typed })
    await nodes.at(1).do(bo, { type: 'joinPair', id: 'j', code: typed })
    const dee = nodes.at(1).connect(DEE)
    expect(await nodes.at(1).refusal(dee, { type: 'joinPair', code })).toBe('no_such_pair')
  })

  test('an invitation that nobody follows ends', async () => {
    const nodes = await Nodes.open()
    const ann = await wait(nodes, ANN, 0, { preset: 'siguo', with: 'partner' })
    await nodes.clock.advance(10 * 60_000 + SOON_MS)
    expect(states(ann)).toEqual(['inviting', 'cancelled'])
  })

  test('plays nothing where nobody has an ally', async () => {
    const nodes = await Nodes.open()
    const ann = nodes.at(0).connect(ANN)
    for (const preset of ['duel', 'sanguo', 'siguo-free']) {
      const wish = { type: 'quickPlay', preset, bots: 'never', with: 'partner' }
      expect(await nodes.at(0).refusal(ann, wish)).toBe('bad_rules')
    }
  })
})

describe('bots', () => {
  async function bot(nodes: Nodes, n: number, level: BotLevel) {
    const player: Player = { ...playerNumber(500 + n), bot: level }
    const account = { ...player, tokenHash: '0'.repeat(64), createdAt: 0 }
    await nodes.store.truth.createPlayer(account)
    return nodes.at(n % 2).connect(player)
  }

  test('fill the table after the time that the player chose, and are told where they sit', async () => {
    const nodes = await Nodes.open()
    const bots = await Promise.all([0, 1, 2, 3].map((n) => bot(nodes, n, 'easy')))
    await bot(nodes, 4, 'hard')
    const ann = await wait(nodes, ANN, 0, {
      preset: 'siguo',
      bots: { afterSeconds: 20, level: 'easy' },
    })
    await nodes.clock.advance(18_000)
    expect(states(ann)).toEqual(['waiting'])
    await nodes.clock.advance(4_000)
    const { room } = status(ann)
    if (room === null) throw new Error('not matched')
    const { seats } = await nodes.at(0).view(room, ANN)
    const levels = Object.values(seats).map((occupant) => occupant?.player.bot ?? 'nobody’s')
    expect(levels.sort()).toEqual(['easy', 'easy', 'easy', 'nobody’s'])
    const told = bots.filter((session) => session.of('seated').some((seat) => seat.room === room))
    expect(told).toHaveLength(3)
  })

  test('sit at no table of who wants none', async () => {
    const nodes = await Nodes.open()
    for (const n of [0, 1, 2]) await bot(nodes, n, 'easy')
    const ann = await wait(nodes, ANN, 0, { bots: 'never' })
    await nodes.clock.advance(120_000)
    expect(states(ann)).toEqual(['waiting'])
  })

  test('who are not there are waited for', async () => {
    const nodes = await Nodes.open()
    const ann = await wait(nodes, ANN, 0, { bots: { afterSeconds: 0, level: 'normal' } })
    expect(status(ann)).toMatchObject({ state: 'waiting', noBotFree: false })
    await nodes.clock.advance(SOON_MS)
    expect(states(ann)).toEqual(['waiting', 'waiting'])
    expect(status(ann)).toMatchObject({ state: 'waiting', noBotFree: true })
    await nodes.at(0).do(ann, { type: 'askQuickPlay' })
    expect(status(ann)).toMatchObject({ noBotFree: true })
    await bot(nodes, 0, 'normal')
    await nodes.clock.advance(SOON_MS)
    expect(status(ann)).toMatchObject({ state: 'matched', noBotFree: false })
  })

  test('who are not there for one player keep nobody else from those that are', async () => {
    const nodes = await Nodes.open()
    await bot(nodes, 0, 'easy')
    const hard = await wait(nodes, ANN, 0, {
      preset: 'siguo',
      bots: { afterSeconds: 0, level: 'hard' },
    })
    const easy = await Promise.all(
      [BO, CAI, DEE].map((player, n) =>
        wait(nodes, player, n % 2, { preset: 'siguo', bots: { afterSeconds: 0, level: 'easy' } }),
      ),
    )
    // Three sit with one bot, before the four would be a table of people: the first does not want to wait.
    await nodes.clock.advance(SOON_MS)
    expect([hard, ...easy].map((session) => status(session).state)).toEqual(
      Array.from({ length: 4 }, () => 'matched'),
    )
  })

  /** Nobody of whom meets another. */
  const ALONE = PRESET_NAMES.filter((preset) => PRESETS[preset].seats.length === 2).flatMap(
    (preset) => [true, false].map((rated) => ({ preset, rated })),
  )

  test.each([1, 2])(
    'take no more games than they play, in one look or many: at %i nodes',
    async (count) => {
      const nodes = await Nodes.open(count, { botGames: 2 })
      const bots = [await bot(nodes, 0, 'easy')]
      const seekers = await Promise.all(
        ALONE.map((wish, n) => wait(nodes, playerNumber(n), n % count, { ...wish, bots: AT_ONCE })),
      )
      await nodes.clock.advance(SOON_MS)
      const matched = seekers.filter((session) => status(session).state === 'matched')
      expect(matched).toHaveLength(2)
      for (const session of bots) expect(session.of('seated')).toHaveLength(2)
      for (const session of seekers) {
        if (!matched.includes(session)) expect(status(session).noBotFree).toBe(true)
      }
      // A game that is over makes place for another.
      const [first] = matched
      if (first === undefined) throw new Error('nobody is matched')
      await nodes.at(0).do(first, { type: 'leave', room: status(first).room })
      await nodes.clock.advance(SOON_MS)
      expect(seekers.filter((session) => status(session).state === 'matched')).toHaveLength(3)
      expect(nodes.faults).toEqual([])
    },
  )

  test('sit in so many rooms that one player asked for, and then with others', async () => {
    const nodes = await Nodes.open()
    for (const n of [0, 1, 2]) await bot(nodes, n, 'easy')
    const rooms = []
    for (let n = 0; n < BOT_ROOMS_PER_PLAYER; n++) {
      const ann = await wait(nodes, ANN, 0, { bots: AT_ONCE })
      await nodes.clock.advance(SOON_MS)
      rooms.push(status(ann).room)
    }
    expect(new Set(rooms).size).toBe(BOT_ROOMS_PER_PLAYER)
    const ann = await wait(nodes, ANN, 0, { preset: 'siguo', bots: AT_ONCE })
    const bo = await wait(nodes, BO, 1, { preset: 'siguo', bots: AT_ONCE })
    await nodes.clock.advance(SOON_MS)
    expect(status(ann)).toMatchObject({ state: 'waiting', noBotFree: true })
    expect(status(bo)).toMatchObject({ state: 'matched' })
    await nodes.at(0).do(ann, { type: 'leave', room: rooms[0] })
    await nodes.clock.advance(SOON_MS)
    expect(status(ann).state).toBe('matched')
    expect(nodes.faults).toEqual([])
  })
})

test('who has taken as many seats as one may, since it began to wait, waits no longer; the others do', async () => {
  const nodes = await Nodes.open()
  const ann = await wait(nodes, ANN, 0)
  for (let n = 0; n < SEATS_PER_PLAYER; n++) {
    const host = nodes.at(n % 2).connect(playerNumber(10 + n))
    const room = await nodes.at(n % 2).createRoom(host)
    await nodes.at(0).do(ann, { type: 'sit', room, seat: 'south' })
  }
  const bo = await wait(nodes, BO, 1)
  await nodes.clock.advance(SOON_MS)
  expect([status(ann).state, status(bo).state]).toEqual(['cancelled', 'waiting'])
  const cai = await wait(nodes, CAI, 0)
  await nodes.clock.advance(SOON_MS)
  await expectAllSeated(nodes, [bo, cai], 2)
  expect(nodes.faults).toEqual([])
})

describe('a node that is killed', () => {
  test.each([
    ['between taking the tickets and making the room', 'append'],
    ['between making the room and saying so', 'settleMatch'],
  ] as const)('F-S1: %s, it loses nobody and seats nobody twice', async (_, step) => {
    const nodes = await Nodes.open(3)
    nodes.at(1).store.failing.add('takeMatch')
    nodes.at(2).store.failing.add('takeMatch')
    nodes.at(0).store.failing.add(step)
    const sessions = await Promise.all(
      [ANN, BO, CAI, DEE].map((player, n) => wait(nodes, player, 1 + (n % 2), { preset: 'siguo' })),
    )
    // A look of the node that is going to be killed.
    nodes.at(0).connect(EVE)
    for (let n = 0; n < 20 && (await nodes.store.truth.readQueue()).matches.length === 0; n++) {
      await nodes.clock.advance(500)
    }
    nodes.at(0).store.die()
    const [match] = (await nodes.store.truth.readQueue()).matches
    expect(JSON.parse(match?.data ?? '{}')).toMatchObject({ room: null })
    await nodes.clock.advance(REPAIRED_MS)
    await expectAllSeatedAt(nodes, sessions)
    expect(await nodes.store.truth.lobby(10)).toHaveLength(1)
    expect(nodes.faults).toEqual([])
  })

  async function expectAllSeatedAt(nodes: Nodes, sessions: readonly FakeSession[]) {
    const rooms = new Set(sessions.map((session) => status(session).room))
    const [room] = rooms
    expect(rooms.size).toBe(1)
    if (room == null) throw new Error('not matched')
    const { seats } = await nodes.at(1).view(room, ANN)
    const seated = Object.values(seats).map((occupant) => occupant?.player.id)
    expect(seated.sort()).toEqual(sessions.map(({ player }) => player.id).sort())
  }

  test('leaves its tickets, for players who are back in time', async () => {
    const nodes = await Nodes.open()
    await wait(nodes, ANN, 0)
    nodes.at(0).store.die()
    nodes.at(0).store.connected.clear()
    await nodes.clock.advance(5_000)
    const ann = nodes.at(1).connect(ANN)
    const bo = await wait(nodes, BO, 1)
    await nodes.clock.advance(SOON_MS)
    await nodes.at(1).do(ann, { type: 'askQuickPlay' })
    expect(status(ann)).toMatchObject({ state: 'matched', room: status(bo).room })
  })
})

test('F-C6: nothing is kept of what is over, and a store of one node is not looked at', async () => {
  const nodes = await Nodes.open(1)
  await Promise.all([wait(nodes, ANN, 0), wait(nodes, BO, 0)])
  await nodes.clock.advance(SOON_MS)
  expect((await nodes.store.truth.readQueue()).matches).toHaveLength(1)
  await nodes.clock.advance(120_000)
  expect(await nodes.store.truth.readQueue()).toEqual({ tickets: [], matches: [] })
  expect(await nodes.store.truth.queuedOf(ANN.id)).toBeNull()
})
