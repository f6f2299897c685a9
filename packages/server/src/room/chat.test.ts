import type { Channel, Player, RoomId } from '@junqi/protocol'
import { describe, expect, test } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import type { FakeSession } from '../../test/support/fake-session.ts'
import { FlakyStore } from '../../test/support/flaky-store.ts'
import { Nodes } from '../../test/support/nodes.ts'
import { EVE, playerNumber } from '../../test/support/players.ts'
import { type Gathered, RoomTable, seededRng } from '../../test/support/room-table.ts'
import { CHAT_KEPT, type Hints } from '../ports.ts'

type Table = RoomTable<RoomTable['store']>

const OPTIONS = { resignFromMove: 0, leaving: 'forfeit', firstSeat: 'south' }

interface Talk {
  readonly table: Table
  readonly game: Gathered
  readonly room: RoomId
  readonly ann: FakeSession
  readonly bo: FakeSession
  readonly cai: FakeSession
  readonly dee: FakeSession
  readonly eve: FakeSession
}

/** Four play, Ann with Cai; Eve looks on. */
async function talk(setup: object = {}): Promise<Talk> {
  const table = await RoomTable.open()
  const game = await table.deploy({ options: OPTIONS, ...setup })
  const eve = table.connect(EVE)
  await table.do(eve, { type: 'subscribe', room: game.room })
  await handIn(table, game)
  const [ann, bo, cai, dee] = game.sessions
  if (!ann || !bo || !cai || !dee) throw new Error('nobody there')
  return { table, game, room: game.room, ann, bo, cai, dee, eve }
}

async function handIn(table: Pick<Table, 'formation' | 'do'>, game: Gathered): Promise<void> {
  for (const session of game.sessions) {
    const formation = await table.formation(game)
    await table.do(session, { type: 'submitFormation', room: game.room, formation })
  }
}

const say = (
  table: Pick<Table, 'do'>,
  session: FakeSession,
  room: RoomId,
  channel: Channel,
  text: string,
) => table.do(session, { type: 'say', room, channel, text })
const heard = (session: FakeSession) =>
  session.of('said').map(({ channel, text, phrase }) => `${channel}: ${text ?? phrase}`)

describe('R-CHAT-1: who hears what is said', () => {
  test('F-H6: in play: table, allies and spectators apart, each stream counted for itself', async () => {
    const { table, room, ann, bo, cai, dee, eve } = await talk()
    await say(table, ann, room, 'table', 'all of you')
    await say(table, cai, room, 'alliance', 'only us')
    await say(table, dee, room, 'alliance', 'not them')
    await say(table, eve, room, 'spectators', 'we see')
    await table.do(bo, { type: 'say', room, channel: 'table', phrase: 'goodLuck' })
    const atTable = ['table: all of you', 'table: goodLuck']
    expect(heard(ann)).toEqual([atTable[0], 'alliance: only us', atTable[1]])
    expect(heard(cai)).toEqual(heard(ann))
    expect(heard(bo)).toEqual([atTable[0], 'alliance: not them', atTable[1]])
    expect(heard(dee)).toEqual(heard(bo))
    expect(heard(eve)).toEqual(['spectators: we see'])
    expect(dee.of('said').map(({ number }) => number)).toEqual([1, 1, 2])
    expect(dee.last('said')).toMatchObject({ by: bo.player, text: null, phrase: 'goodLuck' })
    expect(await table.refusal(eve, { type: 'say', room, channel: 'table', text: 'hey' })).toBe(
      'channel_closed',
    )
    expect(
      await table.refusal(ann, { type: 'say', room, channel: 'spectators', text: 'hey' }),
    ).toBe('channel_closed')
  })

  test('F-H6, R-CHAT-6: who leaves is told what spectators have said, and not only when others talk', async () => {
    const { table, room, bo, eve } = await talk()
    await say(table, eve, room, 'spectators', 'we see')
    await table.do(bo, { type: 'leave', room })
    await table.clock.advance(0)
    expect(heard(bo)).toEqual(['spectators: we see'])
  })

  test('F-H7: the end brings all together, and shows nobody what was said apart', async () => {
    const { table, room, ann, bo, cai, eve } = await talk()
    await say(table, eve, room, 'spectators', 'apart')
    await say(table, ann, room, 'table', 'apart')
    await table.do(ann, { type: 'leave', room })
    await table.do(cai, { type: 'leave', room })
    await say(table, eve, room, 'room', 'together')
    const late = table.connect(playerNumber(30))
    await table.do(late, { type: 'subscribe', room })
    await table.clock.advance(0)
    expect(heard(late)).toEqual(['room: together', 'spectators: apart'])
    expect(heard(bo)).toEqual(['table: apart', 'room: together'])
    expect(heard(eve)).toEqual(['spectators: apart', 'room: together'])
  })

  test('R-CHAT-4: who is out and sees its ally does not talk to the table, and hears it', async () => {
    const { table, room, ann, bo, cai } = await talk()
    await table.do(ann, { type: 'resign', room, turn: 0 })
    expect(await table.refusal(ann, { type: 'say', room, channel: 'table', text: 'hey' })).toBe(
      'channel_closed',
    )
    await say(table, ann, room, 'alliance', 'go on')
    await say(table, bo, room, 'table', 'bye')
    expect(heard(cai)).toEqual(['alliance: go on', 'table: bye'])
    expect(heard(ann)).toEqual(heard(cai))
  })
})

describe('R-CHAT-3: what is kept', () => {
  test('F-R7: who subscribes is told what it may hear, but for what it has', async () => {
    const { table, room, ann, bo, cai } = await talk()
    for (let n = 1; n <= 5; n++) await say(table, bo, room, 'table', `${n}`)
    await say(table, cai, room, 'alliance', 'us')
    const { part } = ann.last('said')
    const back = table.connect(ann.player)
    const position = { channel: 'table', part, number: 3 }
    await table.do(back, { type: 'subscribe', room, heard: [position] })
    await table.clock.advance(0)
    expect(heard(back)).toEqual(['table: 4', 'table: 5', 'alliance: us'])
    const other = table.connect(ann.player)
    await table.do(other, { type: 'subscribe', room, heard: [{ ...position, part: part + 1 }] })
    await table.clock.advance(0)
    expect(heard(other)).toHaveLength(6)
    await say(table, bo, room, 'table', 'more')
    for (const session of [ann, back, other]) expect(heard(session).at(-1)).toBe('table: more')
    expect(heard(ann).filter((line) => line === 'table: more')).toHaveLength(1)
  })

  test('so much of a channel is kept, over a restart too, and goes with its room', async () => {
    const { table, room, bo } = await talk()
    for (let n = 0; n < CHAT_KEPT + 5; n++) await say(table, bo, room, 'table', `${n}`)
    await table.restart()
    const back = table.connect(bo.player)
    await table.do(back, { type: 'subscribe', room })
    await table.clock.advance(0)
    expect(heard(back)).toHaveLength(CHAT_KEPT)
    expect(heard(back).at(-1)).toBe(`table: ${CHAT_KEPT + 4}`)
  })

  test('R-CHAT-6: it moves no version, no deadline and no frame of the game', async () => {
    const { table, room, ann, eve } = await talk()
    const before = await table.view(room, ann.player)
    const version = await table.store.version(room)
    eve.takeFrames()
    for (let n = 0; n < 20; n++) await say(table, ann, room, 'table', `${n}`)
    expect(await table.store.version(room)).toBe(version)
    expect(await table.view(room, ann.player)).toEqual(before)
    expect(eve.takeFrames()).toEqual([])
  })

  test('F-R2: a message is said once, however often it is sent, and answered alike', async () => {
    const { table, room, ann, bo } = await talk()
    const said = { type: 'say', room, channel: 'table', text: 'once', id: 'once' }
    await table.do(ann, said)
    expect(await table.do(ann, said)).toMatchObject({ type: 'ack', version: null })
    expect(heard(bo)).toEqual(['table: once'])
    // The channel is closed to it by now: the answer is the first one.
    await table.do(ann, { type: 'resign', room, turn: 0 })
    expect(await table.do(ann, said)).toMatchObject({ type: 'ack' })
    expect(await table.refusal(ann, { ...said, id: 'twice' })).toBe('channel_closed')
  })
})

describe('F-U5: what was said before costs little, however often somebody comes', () => {
  /** A store that tells what was read of chat. */
  class ReadStore extends FlakyStore {
    counts: number[] = []
    /** Messages of each stream that are there no more. */
    lost = 0
    hints: Hints | null = null
    override listen(hints: Hints | null = null) {
      this.hints = hints
      super.listen()
    }
    override async readChat(...asked: Parameters<FlakyStore['readChat']>) {
      const kept = await super.readChat(...asked)
      const found = kept.map((lines) => lines.slice(0, lines.length - this.lost))
      this.counts.push(found.flat().length)
      return found
    }
  }

  async function full() {
    const clock = new FakeClock()
    const store = new ReadStore({ clock, rng: seededRng() })
    const table = await RoomTable.over(clock, store, { seed: 2 })
    const game = await table.play({ options: OPTIONS })
    const [ann, bo] = game.sessions
    if (!ann || !bo) throw new Error('nobody there')
    for (let n = 0; n < 25; n++) await say(table, ann, game.room, 'table', `${n}`)
    const subscribe = async (session: FakeSession, fields: object = {}) => {
      await table.do(session, { type: 'subscribe', room: game.room, ...fields })
      await clock.advance(0)
    }
    return { table, store, room: game.room, ann, bo, subscribe }
  }

  test('a message is read of the store once, not for each who comes', async () => {
    const { table, store, bo, subscribe } = await full()
    expect(store.counts.reduce((sum, lines) => sum + lines)).toBe(25)
    store.counts = []
    for (let n = 0; n < 5; n++) {
      const back = table.connect(bo.player)
      await subscribe(back)
      expect(heard(back)).toHaveLength(25)
      expect(back.frames.filter((frame) => frame.includes('"said"'))).toEqual(
        bo.frames.filter((frame) => frame.includes('"said"')),
      )
    }
    expect(store.counts.filter((lines) => lines > 0)).toEqual([])
  })

  test('who watches already is told nothing twice, but for what it says that it lacks', async () => {
    const { table, room, bo, subscribe } = await full()
    const { part } = bo.last('said')
    bo.takeFrames()
    await subscribe(bo)
    expect(heard(bo)).toEqual([])
    await subscribe(bo, { heard: [{ channel: 'table', part, number: 23 }] })
    expect(heard(bo)).toEqual(['table: 23', 'table: 24'])
    bo.takeFrames()
    await subscribe(bo, { heard: [{ channel: 'table', part, number: 0 }] })
    expect(heard(bo)).toHaveLength(25)
    bo.takeFrames()
    await table.do(bo, { type: 'unsubscribe', room })
    await subscribe(bo)
    expect(heard(bo)).toHaveLength(25)
  })

  test('R-SEE-6: what is charged for is what the session is told, and no talk that it may not hear', async () => {
    const { table, room, ann, bo, subscribe } = await full()
    for (let n = 0; n < 12; n++) await say(table, ann, room, 'alliance', `${n}`)
    const back = table.connect(bo.player)
    await subscribe(back)
    expect(back.replays).toEqual([25])
    const late = table.connect(EVE)
    await subscribe(late)
    expect(heard(late)).toEqual([])
    await say(table, ann, room, 'table', 'live')
    expect(back.replays).toEqual([25])
    expect(heard(back).at(-1)).toBe('table: live')
    const ally = table.connect(ann.player)
    await subscribe(ally)
    expect(ally.replays).toEqual([38])
  })

  test('F-C4: what a store lost is not told out of memory', async () => {
    const { table, store, bo, subscribe } = await full()
    store.lost = 5
    const back = table.connect(bo.player)
    await subscribe(back)
    expect(heard(back)).toHaveLength(25)
    store.hints?.storeReplaced()
    await table.clock.advance(0)
    const late = table.connect(bo.player)
    await subscribe(late)
    expect(heard(late)).toHaveLength(20)
  })
})

describe('R-CHAT-5: who is not to be heard', () => {
  test('a player hears nothing of whom it mutes, in any room, until it does again', async () => {
    const { table, room, ann, bo, cai } = await talk()
    const mute = (muted: boolean) =>
      table.do(ann, { type: 'mutePlayer', player: bo.player.id, muted })
    await mute(true)
    expect(ann.last('mutes').players).toEqual([bo.player.id])
    await say(table, bo, room, 'table', 'unheard')
    await say(table, cai, room, 'table', 'heard')
    expect(heard(ann)).toEqual(['table: heard'])
    expect(heard(cai)).toEqual(['table: unheard', 'table: heard'])
    await table.restart()
    const back = table.connect(ann.player)
    await table.do(back, { type: 'subscribe', room })
    await table.clock.advance(0)
    expect(back.last('mutes').players).toEqual([bo.player.id])
    expect(heard(back)).toEqual(['table: heard'])
    await table.do(back, { type: 'mutePlayer', player: bo.player.id, muted: false })
    const speaker = table.connect(bo.player)
    await say(table, speaker, room, 'table', 'again')
    expect(heard(back).at(-1)).toBe('table: again')
  })

  test('of a hundred no more are muted, and nobody mutes itself', async () => {
    const { table, ann } = await talk()
    const mute = (n: number) =>
      table.say(ann, { type: 'mutePlayer', player: playerNumber(n + 100).id, muted: true })
    for (let n = 0; n < 100; n++) expect((await mute(n)).type).toBe('ack')
    expect(await mute(100)).toMatchObject({ code: 'too_many_players' })
    const self = { type: 'mutePlayer', player: ann.player.id, muted: true }
    expect(await table.refusal(ann, self)).toBe('not_yourself')
  })

  test('whom the host silences says nothing in this room but to its ally', async () => {
    const { table, room, ann, bo, dee, eve } = await talk()
    const silence = (session: FakeSession, player: string, silenced = true) => ({
      session,
      fields: { type: 'silence', room, player, silenced },
    })
    const refused = silence(bo, dee.player.id)
    expect(await table.refusal(refused.session, refused.fields)).toBe('not_host')
    const own = silence(ann, ann.player.id)
    expect(await table.refusal(own.session, own.fields)).toBe('not_yourself')
    await say(table, eve, room, 'spectators', 'look')
    for (const { player } of [bo, eve]) await table.do(ann, silence(ann, player.id).fields)
    const hey = (channel: Channel) => ({ type: 'say', room, channel, text: 'hey' })
    expect(await table.refusal(bo, hey('table'))).toBe('silenced')
    expect(await table.refusal(eve, hey('spectators'))).toBe('silenced')
    await table.do(bo, hey('alliance'))
    await table.do(dee, hey('table'))
    await table.do(ann, silence(ann, bo.player.id, false).fields)
    await table.do(bo, hey('table'))
    expect(heard(ann)).toEqual(['table: hey', 'table: hey'])
  })

  const silence = (room: RoomId, { id }: Player, silenced = true) => ({
    type: 'silence',
    room,
    player: id,
    silenced,
  })

  test('F-H4, R-ROOM-4: while the game runs a host is not told by that who looks on, or talks where it does not hear', async () => {
    const { table, room, ann, bo, eve } = await talk()
    const shown = table.connect(playerNumber(41))
    await table.do(shown, { type: 'subscribe', room, shown: true })
    await table.clock.advance(500)
    await say(table, eve, room, 'spectators', 'hey')
    const quiet = table.connect(playerNumber(42))
    await table.do(quiet, { type: 'subscribe', room })
    ann.takeFrames()
    const nobody = playerNumber(40)
    for (const player of [eve.player, shown.player, quiet.player, nobody, bo.player]) {
      const answer = await table.do(ann, { ...silence(room, player), id: 'silence' })
      expect(answer).toEqual(await table.do(ann, { ...silence(room, nobody), id: 'silence' }))
    }
    const hey = { type: 'say', room, channel: 'spectators', text: 'hey' }
    for (const session of [eve, shown, quiet]) {
      expect(await table.refusal(session, hey)).toBe('silenced')
    }
  })

  test('while the game runs the answer is the same for each beyond the hundred, whoever it is', async () => {
    const { table, room, ann, bo } = await talk()
    for (let n = 0; n < 100; n++) await table.do(ann, silence(room, playerNumber(n + 100)))
    for (const player of [bo.player, EVE, playerNumber(40)]) {
      expect(await table.refusal(ann, silence(room, player))).toBe('too_many_players')
    }
    await table.do(ann, silence(room, playerNumber(100), false))
    await table.do(ann, silence(room, bo.player))
  })

  test('before and after it silences whom it can know of, though it has gone since, and nobody else', async () => {
    const { table, room, ann, bo, cai, eve } = await talk()
    await say(table, eve, room, 'spectators', 'apart')
    for (const session of [ann, cai]) await table.do(session, { type: 'leave', room })
    const ended = { phase: 'finished', host: bo.player.id }
    expect(await table.view(room, null)).toMatchObject(ended)
    for (const player of [playerNumber(40), eve.player]) {
      expect(await table.refusal(bo, silence(room, player))).toBe('no_such_player')
    }
    await say(table, eve, room, 'room', 'together')
    table.disconnect(eve)
    for (const { player } of [cai, eve]) await table.do(bo, silence(room, player))
    await table.do(bo, silence(room, playerNumber(40), false))
  })
})

describe('R-ROOM-4: who looks on is counted', () => {
  test('for all who watch; named is who lets itself be', async () => {
    const { table, room, ann, eve } = await talk()
    const shown = table.connect(playerNumber(31))
    await table.do(shown, { type: 'subscribe', room, shown: true })
    const tab = table.connect(EVE)
    await table.do(tab, { type: 'subscribe', room })
    await table.clock.advance(500)
    for (const session of [eve, shown]) {
      expect(session.last('onlookers')).toMatchObject({ room, count: 2, players: [shown.player] })
    }
    expect(ann.last('onlookers')).toMatchObject({ room, count: 2, players: [] })
    const late = table.connect(playerNumber(32))
    await table.do(late, { type: 'subscribe', room })
    expect(late.last('onlookers').count).toBe(2)
    await table.clock.advance(500)
    expect(ann.last('onlookers').count).toBe(3)
    table.disconnect(shown)
    await table.do(late, { type: 'unsubscribe', room })
    await table.clock.advance(500)
    expect(ann.last('onlookers')).toMatchObject({ count: 1, players: [] })
    await table.do(ann, { type: 'leave', room })
    await table.clock.advance(500)
    expect(ann.last('onlookers').count).toBe(2)
  })

  test('F-H6: a name can be words: who plays is told it when the game has ended', async () => {
    const { table, room, ann, bo, cai, dee } = await talk()
    const shown = table.connect(playerNumber(31))
    await table.do(shown, { type: 'subscribe', room, shown: true })
    await table.clock.advance(500)
    const late = table.connect(bo.player)
    await table.do(late, { type: 'subscribe', room })
    for (const session of [ann, late]) expect(session.last('onlookers').players).toEqual([])
    await table.do(dee, { type: 'leave', room })
    await table.clock.advance(500)
    expect(dee.last('onlookers').players).toEqual([shown.player])
    await table.do(bo, { type: 'leave', room })
    await table.clock.advance(500)
    expect((await table.view(room, null)).phase).toBe('finished')
    for (const session of [ann, cai]) {
      expect(session.last('onlookers').players).toEqual([shown.player])
    }
  })

  test('F-H6, R-ROOM-2: who left is neither counted nor heard where spectators are behind', async () => {
    const spectators = { mode: 'delayed', moves: 50 }
    const { table, room, bo, eve } = await talk({ spectators })
    await table.clock.advance(500)
    await table.do(bo, { type: 'subscribe', room, shown: true })
    await table.do(bo, { type: 'leave', room })
    await table.clock.advance(1_000)
    expect(eve.last('onlookers')).toMatchObject({ count: 1, players: [] })
    const hey = { type: 'say', room, channel: 'spectators', text: 'hey' }
    expect(await table.refusal(bo, hey)).toBe('channel_closed')
  })
})

/** A store that counts how often it is asked who looks on. */
class CountingStore extends FlakyStore {
  looks = 0
  override shareOnlookers(...asked: Parameters<FlakyStore['shareOnlookers']>) {
    this.looks += 1
    return super.shareOnlookers(...asked)
  }
}

test('R-ROOM-4: a move lets nobody look for who looks on, leaving does', async () => {
  const clock = new FakeClock()
  const store = new CountingStore({ clock, rng: seededRng() })
  const table = await RoomTable.over(clock, store, { seed: 2 })
  const game = await table.play({ options: OPTIONS })
  await clock.advance(1_000)
  const { looks } = store
  for (let move = 0; move < 8; move++) {
    await table.step(game)
    await clock.advance(1_000)
  }
  expect(store.looks).toBe(looks)
  await table.do(game.host, { type: 'leave', room: game.room })
  await clock.advance(1_000)
  expect(store.looks).toBe(looks + 1)
})

describe('over several nodes', () => {
  test('what is said at one is heard at the other, once and in order', async () => {
    const nodes = await Nodes.open(2)
    const game = await nodes.play({ options: OPTIONS })
    const [ann, bo, cai] = game.sessions
    if (!ann || !bo || !cai) throw new Error('nobody there')
    const { room } = game
    const texts = Array.from({ length: 12 }, (_, n) => `${n}`)
    for (const [n, text] of texts.entries()) {
      await say(nodes.at(0), n % 2 === 0 ? ann : bo, room, 'table', text)
    }
    await say(nodes.at(0), cai, room, 'alliance', 'us')
    await nodes.settle()
    for (const session of [ann, bo]) {
      expect(heard(session).filter((line) => line.startsWith('table'))).toEqual(
        texts.map((text) => `table: ${text}`),
      )
    }
    expect(heard(ann).at(-1)).toBe('alliance: us')
    expect(heard(bo)).not.toContain('alliance: us')
    expect(nodes.faults).toEqual([])
  })

  test('F-C3: what no hint told of comes with the next message', async () => {
    const nodes = await Nodes.open(2)
    const game = await nodes.play({ options: OPTIONS })
    const [ann, bo] = game.sessions
    if (!ann || !bo) throw new Error('nobody there')
    nodes.store.hints = 'lost'
    await say(nodes.at(0), ann, game.room, 'table', 'lost')
    await nodes.settle()
    expect(heard(bo)).toEqual([])
    nodes.store.hints = 'told'
    await say(nodes.at(0), ann, game.room, 'table', 'told')
    await nodes.settle()
    expect(heard(bo)).toEqual(['table: lost', 'table: told'])
  })

  test('F-H7: who asks at a node that has not heard of the start is a spectator all the same', async () => {
    const nodes = await Nodes.open(2)
    const game = await nodes.gather({ options: OPTIONS })
    const eve = nodes.at(1).connect(EVE)
    await nodes.at(1).do(eve, { type: 'subscribe', room: game.room })
    nodes.store.hints = 'lost'
    for (const session of game.sessions)
      await nodes.at(0).do(session, { type: 'ready', room: game.room })
    await nodes.at(0).do(game.host, { type: 'start', room: game.room })
    const hey = { type: 'say', room: game.room, channel: 'room', text: 'hey' }
    expect(await nodes.at(1).refusal(eve, hey)).toBe('channel_closed')
  })

  test('the quota, the mutes and the onlookers are those of all nodes together', async () => {
    const nodes = await Nodes.open(2, { chatRate: { perSecond: 0.1, burst: 3 } })
    const game = await nodes.play({ options: OPTIONS })
    const { room } = game
    const [ann, bo] = game.sessions
    if (!ann || !bo) throw new Error('nobody there')
    const tab = nodes.at(1).connect(ann.player)
    for (const session of [ann, tab, ann]) await say(nodes.at(0), session, room, 'table', 'hey')
    const refused = await nodes.at(1).say(tab, { type: 'say', room, channel: 'table', text: 'hey' })
    expect(refused).toMatchObject({ code: 'rate_limited', retryable: true, retryAfterMs: 10_000 })
    await nodes.at(1).do(tab, { type: 'subscribe', room })
    await nodes.at(0).do(ann, { type: 'mutePlayer', player: bo.player.id, muted: true })
    await nodes.settle()
    expect(tab.last('mutes').players).toEqual([bo.player.id])
    await say(nodes.at(1), bo, room, 'table', 'unheard')
    await nodes.settle()
    for (const session of [ann, tab]) expect(heard(session)).not.toContain('table: unheard')
    const eves = [0, 1].map((n) => nodes.at(n).connect(playerNumber(40 + n)))
    for (const eve of eves) await nodes.at(0).do(eve, { type: 'subscribe', room })
    await nodes.clock.advance(1_200)
    await nodes.settle()
    for (const session of [ann, bo]) expect(session.last('onlookers').count).toBe(2)
    nodes.at(1).disconnect(eves[1] ?? ann)
    await nodes.clock.advance(1_200)
    await nodes.settle()
    for (const session of [ann, bo]) expect(session.last('onlookers').count).toBe(1)
  })
})
