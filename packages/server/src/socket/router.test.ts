import { LIMITS, roomId } from '@junqi/protocol'
import { expect, test } from 'vitest'
import { ANN, BO, CAI, DEE, EVE, playerNumber } from '../../test/support/players.ts'
import { RoomTable } from '../../test/support/room-table.ts'
import { MAX_REMATCHES } from '../room/room-limits.ts'

const NOWHERE = roomId.parse('zzzzzzzz')
const FORMATION = 'LF'.padEnd(25, '9')

/** One message of every kind that is about a room. */
const MESSAGES = [
  { type: 'subscribe' },
  { type: 'subscribe', since: 3 },
  { type: 'subscribe', invitation: 'abcdefghijklmnopqrstuv' },
  { type: 'unsubscribe' },
  { type: 'sit', seat: 'south' },
  { type: 'sit', seat: 'south', invitation: 'abcdefghijklmnopqrstuv' },
  { type: 'stand' },
  { type: 'requestSwap', seat: 'east' },
  { type: 'answerSwap', swap: 1, accept: true },
  { type: 'ready' },
  { type: 'notReady' },
  { type: 'setRules', preset: 'duel', options: {} },
  { type: 'removePlayer', player: ANN.id },
  { type: 'addBot', seat: 'east', level: 'easy' },
  { type: 'start' },
  { type: 'saveDraft', formation: FORMATION },
  { type: 'submitFormation', formation: FORMATION },
  { type: 'move', turn: 0, from: 'g6', to: 'g7' },
  { type: 'flip', turn: 0, space: 'g6' },
  { type: 'resign', turn: 0 },
  { type: 'leave' },
  { type: 'offerDraw' },
  { type: 'answerDraw', offer: 1, accept: true },
  { type: 'rematch' },
] as const

test('a room is made, found in the list, watched and taken a seat in', async () => {
  const table = await RoomTable.open()
  const ann = table.connect(ANN)
  const room = await table.createRoom(ann)
  expect(await table.rooms.listRooms()).toMatchObject([{ room, phase: 'lobby', host: ANN.id }])
  const snapshot = await table.do(ann, { type: 'subscribe', room })
  expect(snapshot).toMatchObject({ type: 'snapshot', version: 1, view: { phase: 'lobby' } })
  const sat = await table.do(ann, { type: 'sit', room, seat: 'south' })
  expect(sat).toMatchObject({
    type: 'event',
    version: 2,
    events: [{ type: 'seatTaken', seat: 'south', player: ANN }],
  })
})

test('left out, options are those of the preset, and a room is public', async () => {
  const table = await RoomTable.open()
  const ann = table.connect(ANN)
  const made = await table.do(ann, { type: 'createRoom', preset: 'duel' })
  const room = made.type === 'ack' && made.room !== null ? made.room : NOWHERE
  const seen = async () => {
    await table.do(ann, { type: 'subscribe', room })
    const { rules, invitation } = ann.last('snapshot').view
    return { options: rules.options, invitation }
  }
  expect(await seen()).toEqual({ options: {}, invitation: null })
  const options = { turnSeconds: 30 }
  await table.do(ann, { type: 'setRules', room, preset: 'duel', options })
  expect(await seen()).toEqual({ options, invitation: null })
  await table.do(ann, { type: 'setRules', room, preset: 'duel' })
  expect(await seen()).toEqual({ options: {}, invitation: null })
})

test('F-R1: every command is answered exactly once, whatever becomes of it', async () => {
  const table = await RoomTable.open()
  const { room, sessions } = await table.play()
  const stranger = table.connect(EVE)
  for (const session of [...sessions, stranger]) {
    for (const message of MESSAGES) {
      for (const asked of [room, NOWHERE]) {
        const id = table.nextId()
        await table.send(session, { ...message, room: asked, id })
        const replies = session.messages.filter((each) => 're' in each && each.re === id)
        expect(replies, `${message.type} by ${session.player.name}`).toHaveLength(1)
      }
    }
  }
  expect(table.faults).toEqual([])
})

test('F-R1: a command is answered once also while the store does not answer', async () => {
  const table = await RoomTable.open()
  const { room, sessions } = await table.play()
  const session = sessions[0] ?? table.connect(ANN)
  table.store.isDown = true
  for (const message of [...MESSAGES, { type: 'createRoom', preset: 'duel' } as const]) {
    const id = table.nextId()
    const place = message.type === 'createRoom' ? { options: {}, private: false } : { room }
    await table.send(session, { ...message, ...place, id })
    const replies = session.messages.filter((each) => 're' in each && each.re === id)
    expect(replies, message.type).toHaveLength(1)
  }
})

test('the sender gets its entry as the answer, everyone else the same entry without it', async () => {
  const table = await RoomTable.open()
  const { room, sessions, host } = await table.gather()
  const tab = table.connect(host.player)
  await table.do(tab, { type: 'subscribe', room })
  for (const session of [...sessions, tab]) session.takeFrames()
  const reply = await table.do(host, { type: 'ready', room })
  expect(reply).toMatchObject({ type: 'event', re: expect.any(String) })
  expect(host.frames).toHaveLength(1)
  const [others] = [...sessions.slice(1), tab].map((session) => session.frames)
  for (const session of [...sessions.slice(1), tab]) expect(session.frames).toEqual(others)
  expect(others).toHaveLength(1)
  const { re: _, ...entry } = host.last('event')
  expect(tab.last('event')).toEqual(entry)
})

test('a sender that does not watch the room gets an ack with the version', async () => {
  const table = await RoomTable.open()
  const ann = table.connect(ANN)
  const room = await table.createRoom(ann)
  expect(await table.do(ann, { type: 'sit', room, seat: 'south' })).toMatchObject({
    type: 'ack',
    room,
    version: 2,
  })
})

test('F-R1: a refusal tells the version and the turn', async () => {
  const table = await RoomTable.open()
  const { room, sessions } = await table.play()
  await table.step({ room, sessions })
  const reply = await table.say(sessions[0] ?? table.connect(ANN), {
    type: 'move',
    room,
    turn: 0,
    from: 'g6',
    to: 'g7',
  })
  expect(reply).toMatchObject({ code: 'stale_turn', turn: 1, room })
  expect(reply.version).toBe(await table.store.version(room))
})

test('F-R2: a repeated command gets its first answer and changes nothing', async () => {
  const table = await RoomTable.open()
  const { room, sessions } = await table.play()
  const { session, move } = await table.nextMove({ room, sessions })
  const id = table.nextId()
  const first = await table.do(session, { ...move, id })
  const version = await table.store.version(room)
  session.takeFrames()
  expect(await table.say(session, { ...move, id })).toMatchObject({ type: 'ack', version })
  await table.step({ room, sessions })
  expect(await table.say(session, { ...move, id })).toMatchObject({ type: 'ack', version })
  expect(first).toMatchObject({ type: 'event', version })
  expect(await table.store.version(room)).toBe(version + 1)
})

test('F-R2: a command that could be done again and again is done once', async () => {
  const table = await RoomTable.open()
  const { room, host, sessions } = await table.gather()
  const again = { type: 'requestSwap', room, seat: 'east', id: 'once' }
  const first = await table.do(host, again)
  const version = await table.store.version(room)
  expect(first).toMatchObject({ type: 'event', version })
  for (const session of sessions) session.takeFrames()
  const tab = table.connect(host.player)
  for (const session of [host, tab]) {
    expect(await table.say(session, again)).toMatchObject({ type: 'ack', version })
  }
  expect(await table.store.version(room)).toBe(version)
  for (const session of sessions.slice(1)) expect(session.frames).toEqual([])
})

test.each([
  ['as it would be accepted', { type: 'stand' }],
  ['as it would be refused', { type: 'start' }],
  ['with the like of it', { type: 'sit', seat: 'west' }],
])('F-R2: another command with a used id is refused, %s', async (_, other) => {
  const table = await RoomTable.open()
  const ann = table.connect(ANN)
  const room = await table.createRoom(ann)
  const sit = { type: 'sit', room, seat: 'south', id: '1' }
  const { version } = await table.do(ann, sit)
  for (let time = 0; time < 2; time++) {
    const session = table.connect(ANN)
    expect(await table.refusal(session, { ...other, room, id: '1' })).toBe('id_used')
    expect(await table.say(session, sit)).toMatchObject({ type: 'ack', version })
    await table.restart()
  }
  expect(await table.store.version(room)).toBe(version)
})

test.each([
  [
    { type: 'setRules', preset: 'duel', options: { turnSeconds: 30 } },
    { type: 'setRules', preset: 'duel', options: { turnSeconds: 60 } },
  ],
  [
    { type: 'setRules', preset: 'duel', options: { turnSeconds: 30 } },
    { type: 'setRules', preset: 'duel' },
  ],
  [
    { type: 'setSpectators', spectators: { mode: 'delayed', moves: 2 } },
    { type: 'setSpectators', spectators: { mode: 'delayed', moves: 3 } },
  ],
])('F-R2: what is asked for in another way is another command: %j', async (first, other) => {
  const table = await RoomTable.open()
  const ann = table.connect(ANN)
  const room = await table.createRoom(ann)
  const { version } = await table.do(ann, { ...first, room, id: '1' })
  const session = table.connect(ANN)
  expect(await table.refusal(session, { ...other, room, id: '1' })).toBe('id_used')
  expect(await table.say(session, { ...first, room, id: '1' })).toMatchObject({
    type: 'ack',
    version,
  })
})

test('F-R2: a repeated command gets its first answer after a restart', async () => {
  const table = await RoomTable.open()
  const { room, sessions } = await table.play()
  const { session, move } = await table.nextMove({ room, sessions })
  const id = table.nextId()
  await table.do(session, { ...move, id })
  const version = await table.store.version(room)
  await table.restart()
  const again = table.connect(session.player)
  expect(await table.say(again, { ...move, id })).toMatchObject({ type: 'ack', version })
})

test('a refused command is judged anew when it is repeated', async () => {
  const table = await RoomTable.open()
  const [ann, bo] = [table.connect(ANN), table.connect(BO)]
  const room = await table.createRoom(ann)
  await table.do(ann, { type: 'sit', room, seat: 'south' })
  const sit = { type: 'sit', room, seat: 'south', id: 'again' }
  expect(await table.refusal(bo, sit)).toBe('seat_taken')
  await table.do(ann, { type: 'stand', room })
  expect(await table.say(bo, sit)).toMatchObject({ type: 'ack' })
})

test('F-R2: a draft that was taken is not refused when it is sent again after the start', async () => {
  const table = await RoomTable.open()
  const gathered = await table.deploy()
  const { room, sessions, host } = gathered
  const draft = { type: 'saveDraft', room, formation: await table.formation(gathered), id: 'd' }
  expect(await table.do(host, draft)).toMatchObject({ type: 'ack', version: null })
  for (const session of sessions) {
    const formation = await table.formation(gathered)
    await table.do(session, { type: 'submitFormation', room, formation })
  }
  expect(await table.say(host, draft)).toMatchObject({ type: 'ack', version: null })
  expect(await table.refusal(host, { ...draft, id: 'e' })).toBe('wrong_phase')
})

test('R-DEPLOY-6, F-H9: a draft reaches the sockets of its own player, and nobody else', async () => {
  const table = await RoomTable.open()
  const gathered = await table.deploy()
  const { room, sessions, host } = gathered
  const tab = table.connect(host.player)
  await table.do(tab, { type: 'subscribe', room })
  const watchers = [...sessions.slice(1), table.connect(EVE)]
  await table.do(watchers.at(-1) ?? tab, { type: 'subscribe', room })
  for (const session of watchers) session.takeFrames()
  const formation = await table.formation(gathered)
  await table.do(host, { type: 'saveDraft', room, formation })
  expect(tab.last('draft')).toEqual({ type: 'draft', room, formation })
  for (const session of watchers) expect(session.frames).toEqual([])
  expect((await table.view(room, host.player)).you.draft).toBe(formation)
  expect((await table.view(room, BO)).you.draft).toBeNull()
})

test('R-DEPLOY-6, F-H9: others learn that a formation was handed in, not which', async () => {
  const table = await RoomTable.open()
  const gathered = await table.deploy()
  const { room, sessions, host } = gathered
  for (const session of sessions) session.takeFrames()
  const formation = await table.formation(gathered)
  await table.do(host, { type: 'submitFormation', room, formation })
  expect(sessions[1]?.messages).toMatchObject([
    { type: 'event', events: [{ type: 'readyChanged', seat: 'south', ready: true }] },
  ])
  expect(sessions[1]?.frames.join('')).not.toContain(formation)
})

test('R-DEPLOY-7: a withdrawn formation is still the draft', async () => {
  const table = await RoomTable.open()
  const gathered = await table.deploy()
  const { room, host } = gathered
  const formation = await table.formation(gathered)
  await table.do(host, { type: 'submitFormation', room, formation })
  await table.do(host, { type: 'notReady', room })
  expect((await table.view(room, host.player)).you.draft).toBe(formation)
  await table.clock.advance(180_000)
  const { game } = await table.view(room, host.player)
  expect(game?.formations.south).toBe(formation)
})

test('F-H12: a private room that one is no member of looks like no room at all', async () => {
  const table = await RoomTable.open()
  const { room } = await table.gather({ private: true })
  const stranger = table.connect(EVE)
  for (const message of MESSAGES) {
    const asked = await framesOf({ ...message, room, id: 'x' })
    const unknown = await framesOf({ ...message, room: NOWHERE, id: 'x' })
    expect(asked.map((frame) => frame.replace(room, NOWHERE))).toEqual(unknown)
    expect(unknown).toHaveLength(1)
    expect(unknown[0]).toContain('room_not_found')
  }
  expect(await table.rooms.publicRoom(room, EVE)).toBeNull()
  expect(await table.rooms.publicRoom(room, null)).toBeNull()
  expect(await table.record(room, EVE)).toBeNull()

  async function framesOf(message: Parameters<RoomTable['send']>[1]) {
    stranger.takeFrames()
    await table.send(stranger, message)
    return stranger.takeRoomFrames()
  }
})

test('F-H12: who may not act changes nothing: strangers, spectators, the eliminated', async () => {
  const table = await RoomTable.open()
  const { room, sessions } = await table.play({
    options: { leaving: 'forfeit', resignFromMove: 0 },
  })
  const [ann, , , dee] = sessions
  if (ann === undefined || dee === undefined) throw new Error('nobody there')
  await table.do(dee, { type: 'leave', room })
  await table.do(ann, { type: 'resign', room, turn: 0 })
  const [stranger, spectator] = [table.connect(EVE), table.connect(playerNumber(9))]
  await table.do(spectator, { type: 'subscribe', room })
  const version = await table.store.version(room)
  for (const session of [stranger, spectator, ann, dee]) {
    for (const message of MESSAGES.filter(({ type }) => !type.endsWith('subscribe'))) {
      const reply = await table.say(session, { ...message, room })
      expect(reply.type, `${message.type} by ${session.player.name}`).toBe('error')
    }
  }
  expect(await table.store.version(room)).toBe(version)
})

test('F-H12: before play strangers and spectators change nothing but an empty seat', async () => {
  const table = await RoomTable.open()
  for (const gather of [() => table.gather(), () => table.deploy()]) {
    const { room } = await gather()
    const [stranger, spectator] = [table.connect(EVE), table.connect(playerNumber(9))]
    await table.do(spectator, { type: 'subscribe', room })
    const before = await table.view(room, null)
    for (const session of [stranger, spectator]) {
      for (const message of MESSAGES.filter(({ type }) => !type.endsWith('subscribe'))) {
        const reply = await table.say(session, { ...message, room })
        expect(reply.type, `${message.type} by ${session.player.name}`).toBe('error')
      }
    }
    expect(await table.view(room, null)).toEqual(before)
  }
})

test('F-H12: what is the host’s to do no other seat does, an ally neither', async () => {
  const table = await RoomTable.open()
  const { room, sessions, host } = await table.gather()
  for (const session of sessions) await table.do(session, { type: 'ready', room })
  const before = await table.view(room, null)
  for (const session of sessions.slice(1)) {
    for (const message of [
      { type: 'start' },
      { type: 'setRules', preset: 'duel', options: {} },
      { type: 'removePlayer', player: host.player.id },
      { type: 'addBot', seat: 'south', level: 'easy' },
      { type: 'setSpectators', spectators: { mode: 'none' } },
    ]) {
      expect(await table.refusal(session, { ...message, room })).toBe('not_host')
    }
  }
  expect(await table.view(room, null)).toEqual(before)
  await table.do(host, { type: 'start', room })
})

test('F-H12: after the end only who is still there asks for a rematch', async () => {
  const table = await RoomTable.open()
  const { room, sessions } = await table.play({ preset: 'duel' })
  const [ann, bo] = sessions
  if (ann === undefined || bo === undefined) throw new Error('nobody there')
  await table.do(ann, { type: 'leave', room })
  for (const session of [ann, table.connect(EVE)]) {
    expect(await table.refusal(session, { type: 'rematch', room })).toBe('not_seated')
  }
  expect(await table.do(bo, { type: 'rematch', room })).toMatchObject({ type: 'event' })
})

test('F-H3: a room read back from its log shows everyone the same bytes', async () => {
  const table = await RoomTable.open()
  const { room, sessions } = await table.play({ preset: 'siguo-ally-open' })
  for (let n = 0; n < 30; n++) await table.step({ room, sessions })
  const players = [ANN, BO, CAI, DEE, EVE]
  const seen = async () =>
    Promise.all(
      players.map(async (player) => {
        const session = table.connect(player)
        await table.do(session, { type: 'subscribe', room, id: 's' })
        return session.frames.find((frame) => frame.startsWith('{"type":"snapshot"'))
      }),
    )
  const before = await seen()
  expect(before).not.toContain(undefined)
  await table.restart()
  for (const player of players) table.connect(player)
  expect(await seen()).toEqual(before)
})

test('F-S4: a private room is in no list, before, in and after its game', async () => {
  const table = await RoomTable.open()
  const { room, sessions } = await table.play({ private: true, preset: 'duel' })
  expect(await table.rooms.listRooms()).toEqual([])
  await table.do(sessions[0] ?? table.connect(ANN), { type: 'leave', room })
  expect(await table.rooms.listRooms()).toEqual([])
})

test('the invitation lets a player watch a private room, from then on without it', async () => {
  const table = await RoomTable.open()
  const { room, host } = await table.gather({ private: true })
  const { invitation } = await table.view(room, host.player)
  const eve = table.connect(EVE)
  host.takeFrames()
  const snapshot = await table.do(eve, { type: 'subscribe', room, invitation })
  expect(snapshot).toMatchObject({ type: 'snapshot', view: { invitation } })
  expect(host.last('event').events).toEqual([{ type: 'memberJoined', player: EVE }])
  const tab = table.connect(EVE)
  expect(await table.do(tab, { type: 'subscribe', room })).toMatchObject({ type: 'snapshot' })
})

test('F-S5: who is removed from a private room hears no more of it', async () => {
  const table = await RoomTable.open()
  const { room, sessions, host } = await table.gather({ private: true })
  const [, bo] = sessions
  await table.do(host, { type: 'removePlayer', room, player: BO.id })
  expect(bo?.last('dropped')).toEqual({ type: 'dropped', room, code: 'room_not_found' })
  bo?.takeFrames()
  await table.do(host, { type: 'ready', room })
  expect(bo?.frames).toEqual([])
})

test('F-S2: of 100 who sit down at once exactly as many sit as there are seats', async () => {
  const table = await RoomTable.open()
  const room = await table.createRoom(table.connect(ANN))
  const seats = ['south', 'east', 'north', 'west'] as const
  const sessions = Array.from({ length: 100 }, (_, n) => table.connect(playerNumber(n)))
  await Promise.all(
    sessions.map((session, n) =>
      table.send(session, { type: 'sit', room, seat: seats[n % 4] ?? 'south' }),
    ),
  )
  const taken = sessions.filter((session) => session.of('ack').some(({ version }) => version))
  expect(taken).toHaveLength(4)
  const view = await table.view(room, null)
  expect(seats.map((seat) => view.seats[seat]?.player)).toEqual([ANN, BO, CAI, DEE])
})

test('F-S3: a player that sits down on all seats at once has one', async () => {
  const table = await RoomTable.open()
  const room = await table.createRoom(table.connect(ANN))
  const tabs = Array.from({ length: 4 }, () => table.connect(BO))
  const seats = ['south', 'east', 'north', 'west'] as const
  await Promise.all(
    tabs.map((tab, n) => table.send(tab, { type: 'sit', room, seat: seats[n] ?? 'south' })),
  )
  const view = await table.view(room, null)
  expect(seats.filter((seat) => view.seats[seat] !== null)).toEqual(['west'])
})

test('F-S7: a lost connection frees no seat; the others are told since when', async () => {
  const table = await RoomTable.open()
  const { room, sessions } = await table.gather()
  const [ann, bo] = sessions
  if (ann === undefined || bo === undefined) throw new Error('nobody there')
  await table.clock.advance(5_000)
  const since = table.clock.now()
  table.disconnect(bo)
  expect(ann.last('presence')).toEqual({
    type: 'presence',
    room,
    player: BO.id,
    goneSince: since,
  })
  expect((await table.view(room, ANN)).seats.east).toMatchObject({ player: BO, goneSince: since })
  await table.clock.advance(5_000)
  const back = table.connect(BO)
  expect(ann.last('presence')).toMatchObject({ player: BO.id, goneSince: null })
  expect(await table.do(back, { type: 'ready', room })).toMatchObject({ type: 'ack' })
})

test('F-S7: in play too a seat is kept, with its pieces, and its player goes on from another socket', async () => {
  const table = await RoomTable.open()
  const { room, sessions } = await table.play({ options: { firstSeat: 'south' } })
  const before = await table.view(room, ANN)
  for (const session of sessions) table.disconnect(session)
  await table.clock.advance(5_000)
  expect((await table.view(room, ANN)).game).toEqual(before.game)
  const { session, move } = await table.nextMove({ room, sessions })
  const back = table.connect(session.player)
  expect(await table.do(back, move)).toMatchObject({ type: 'ack' })
})

test('F-R3: the late close of an old socket does not make a player gone who is back', async () => {
  const table = await RoomTable.open()
  const { room, sessions } = await table.gather()
  const [ann, bo] = sessions
  if (ann === undefined || bo === undefined) throw new Error('nobody there')
  const back = table.connect(BO)
  await table.do(back, { type: 'subscribe', room })
  ann.takeFrames()
  table.disconnect(bo)
  table.disconnect(bo)
  expect(ann.frames).toEqual([])
  back.takeFrames()
  await table.do(ann, { type: 'ready', room })
  expect(back.of('event')).toHaveLength(1)
})

test('F-R8: all tabs of a player work, and see the same', async () => {
  const table = await RoomTable.open()
  const { room, sessions } = await table.play()
  const tabs = [...sessions]
  for (const { player } of sessions) {
    const tab = table.connect(player)
    await table.do(tab, { type: 'subscribe', room })
    tabs.push(tab)
  }
  for (let n = 0; n < 8; n++) {
    for (const tab of tabs) tab.takeFrames()
    await table.step({ room, sessions: n % 2 === 0 ? sessions : tabs.slice(4) })
    const seen = tabs.map((tab) => tab.of('event').map(({ re: _, ...event }) => event))
    for (const events of seen) expect(events).toEqual(seen[0])
  }
})

test('a socket that closes while it subscribes is not kept', async () => {
  const table = await RoomTable.open()
  const { room, host } = await table.gather()
  const eve = table.connect(EVE)
  const subscribing = table.send(eve, { type: 'subscribe', room })
  table.disconnect(eve)
  await subscribing
  await table.do(host, { type: 'ready', room })
  expect(eve.of('event')).toEqual([])
})

test('a socket watches so many rooms, and takes another when it drops one', async () => {
  const table = await RoomTable.open()
  const eve = table.connect(EVE)
  const rooms = []
  for (let n = 0; n <= LIMITS.subscriptions; n++) {
    rooms.push(await table.createRoom(table.connect(playerNumber(10 + n))))
  }
  for (const room of rooms.slice(1)) await table.do(eve, { type: 'subscribe', room })
  const [first, second] = rooms
  expect(await table.refusal(eve, { type: 'subscribe', room: first })).toBe('too_many_rooms')
  expect(await table.do(eve, { type: 'subscribe', room: second })).toMatchObject({
    type: 'snapshot',
  })
  await table.do(eve, { type: 'unsubscribe', room: second })
  expect(await table.refusal(eve, { type: 'unsubscribe', room: second })).toBe('not_subscribed')
  await table.do(eve, { type: 'subscribe', room: first })
})

test('F-S1: a room that is asked for twice with one id is made once', async () => {
  const table = await RoomTable.open()
  const ann = table.connect(ANN)
  const create = { type: 'createRoom', preset: 'duel', options: {}, private: true, id: 'one' }
  const replies = await Promise.all([1, 2, 3].map(() => table.say(ann, create)))
  expect(ann.of('ack')).toHaveLength(3)
  expect(new Set(ann.of('ack').map(({ room }) => room)).size).toBe(1)
  await table.restart()
  const again = await table.say(table.connect(ANN), create)
  expect(again).toMatchObject({ type: 'ack', room: replies[0]?.room, version: 1 })
  const other = await table.say(table.connect(BO), create)
  expect(other.room).not.toBe(again.room)
})

test('a player is host of so many rooms at a time', async () => {
  const table = await RoomTable.open()
  const ann = table.connect(ANN)
  const create = { type: 'createRoom', preset: 'duel', options: {}, private: false }
  const replies = await Promise.all(Array.from({ length: 9 }, () => table.say(ann, create)))
  expect(replies.map(({ type }) => type).sort()).toEqual([...Array(8).fill('ack'), 'error'])
  expect(replies.find(({ type }) => type === 'error')).toMatchObject({ code: 'too_many_rooms' })
  const made = replies.find(({ type }) => type === 'ack')
  await table.do(ann, { type: 'leave', room: made?.room })
  expect(await table.say(ann, create)).toMatchObject({ type: 'ack' })
})

test('rules that cannot be played make no room', async () => {
  const table = await RoomTable.open()
  const options = { turnSeconds: 1 }
  const reply = await table.say(table.connect(ANN), {
    type: 'createRoom',
    preset: 'duel',
    options,
    private: false,
  })
  expect(reply).toMatchObject({ type: 'error', code: 'bad_rules', room: null })
  expect(reply.type === 'error' && reply.message).toContain('turnSeconds')
})

test('F-S1: two who ask for a rematch at once make one room', async () => {
  const table = await RoomTable.open()
  const { room, sessions } = await table.play({ preset: 'duel' })
  await finish(table, { room, sessions })
  expect(await table.rooms.listRooms()).toEqual([])
  await Promise.all(sessions.map((session) => table.say(session, { type: 'rematch', room })))
  const { rematch } = await table.view(room, ANN)
  expect(await table.rooms.listRooms()).toMatchObject([{ room: rematch, phase: 'lobby' }])
})

test('a rematch is a new room with the same seats, rules, invitation and members', async () => {
  const table = await RoomTable.open()
  const setup = { private: true, preset: 'duel', options: { turnSeconds: 20 } }
  const { room, sessions } = await table.play(setup)
  const [ann, bo] = sessions
  if (ann === undefined || bo === undefined) throw new Error('nobody there')
  expect(await table.refusal(ann, { type: 'rematch', room })).toBe('wrong_phase')
  await finish(table, { room, sessions })
  const before = await table.view(room, ANN)
  const [one, other] = await Promise.all([
    table.say(ann, { type: 'rematch', room }),
    table.say(bo, { type: 'rematch', room }),
  ])
  const { rematch } = await table.view(room, ANN)
  expect(rematch).not.toBeNull()
  expect(one).toMatchObject({ type: 'event', events: [{ type: 'rematchCreated', room: rematch }] })
  expect(other).toMatchObject({ type: 'ack', room: rematch, version: null })
  const after = await table.view(roomId.parse(rematch), BO)
  expect(after).toMatchObject({
    phase: 'lobby',
    rules: before.rules,
    invitation: before.invitation,
    host: before.host,
    rematch: null,
  })
  expect(after.seats.south).toMatchObject({ player: ANN, ready: false })
  expect(after.seats.north).toMatchObject({ player: BO, ready: false })
})

test('F-S1: when the rematch has closed there is another one, as often as a game has', async () => {
  const table = await RoomTable.open()
  const { room, sessions } = await table.play({ preset: 'duel' })
  const [ann, bo] = sessions
  if (ann === undefined || bo === undefined) throw new Error('nobody there')
  await finish(table, { room, sessions })
  const rematches = new Set<string | null>()
  for (let n = 1; n <= MAX_REMATCHES; n++) {
    await Promise.all([ann, bo].map((session) => table.say(session, { type: 'rematch', room })))
    const { rematch } = await table.view(room, ANN)
    rematches.add(rematch)
    expect(rematches.size).toBe(n)
    const next = roomId.parse(rematch)
    expect(await table.view(next, BO)).toMatchObject({ phase: 'lobby', closed: false })
    for (const session of [ann, bo]) await table.do(session, { type: 'leave', room: next })
    expect(await table.rooms.listRooms()).toEqual([])
  }
  expect(await table.refusal(ann, { type: 'rematch', room })).toBe('room_closed')
})

test('a finished room tells its record to those who may see the room', async () => {
  const table = await RoomTable.open()
  const { room, sessions } = await table.play({
    private: true,
    preset: 'duel',
    options: { firstSeat: 'south' },
  })
  expect(await table.record(room, ANN)).toBeNull()
  await finish(table, { room, sessions })
  expect(await table.record(room, ANN)).toMatchObject({
    format: 'junqi-record/1',
    rules: { preset: 'duel', options: { firstSeat: 'south' } },
    first: 'south',
    actions: ['south', 'north', 'south', 'north', 'south'].map((seat) => `timeout ${seat}`),
    result: { winners: ['north'], reason: 'timeouts' },
  })
  expect(await table.record(room, EVE)).toBeNull()
  expect(await table.record(NOWHERE, ANN)).toBeNull()
})

/** Nobody moves any more. */
async function finish(
  table: RoomTable,
  { room, sessions }: Parameters<RoomTable['nextMove']>[0],
): Promise<void> {
  for (let n = 0; n < 8; n++) await table.clock.advance(60_000)
  const view = await table.view(room, sessions[0]?.player ?? null)
  if (view.phase !== 'finished') throw new Error('the game goes on')
}
