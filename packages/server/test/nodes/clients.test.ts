import { describe, expect, test } from 'vitest'
import type { FakeSession } from '../support/fake-session.ts'
import { Nodes } from '../support/nodes.ts'
import { ANN, BO, CAI, EVE } from '../support/players.ts'
import type { Gathered } from '../support/room-table.ts'

const withoutRe = (frame: string): string => frame.replace(/"re":"[^"]*",/, '')
const typeOf = (frame: string): string => JSON.parse(frame).type
const versionOf = (frame: string): number => JSON.parse(frame).version

/** The frames of entries, snapshots and drafts, without which of them was an answer. */
const framesOf = (session: FakeSession): readonly string[] =>
  session.frames
    .filter((frame) => ['event', 'snapshot', 'draft'].includes(typeOf(frame)))
    .map(withoutRe)

describe('F-C2: a write whose answer was lost', () => {
  test('is found by its id, and is the answer', async () => {
    const nodes = await Nodes.open()
    const { room, sessions, host } = await nodes.gather()
    const version = await nodes.store.truth.version(room)
    nodes.at(0).store.failNext('unanswered')
    const reply = await nodes.at(0).say(host, { type: 'ready', room, id: 'r' })
    expect(reply).toMatchObject({ type: 'event', re: 'r', version: version + 1 })
    await nodes.settle()
    for (const session of sessions) {
      expect(session.of('event').filter((event) => event.version > version)).toHaveLength(1)
    }
    expect(nodes.at(0).observed).toMatchObject({ unanswered: 1, conflicts: 0 })
  })

  test('is found among what another node wrote after it', async () => {
    const nodes = await Nodes.open()
    const { room, sessions, host } = await nodes.gather()
    const [, bo] = sessions
    if (bo === undefined) throw new Error('nobody there')
    const version = await nodes.store.truth.version(room)
    const { store } = nodes.at(0)
    store.failNext('unanswered')
    store.holdAnswers()
    const saying = nodes.at(0).say(host, { type: 'ready', room, id: 'r' })
    await nodes.settle()
    await nodes.at(1).do(bo, { type: 'ready', room })
    store.release()
    expect(await saying).toMatchObject({ type: 'event', re: 'r', version: version + 1 })
    await nodes.settle()
    for (const session of sessions) {
      const news = session.of('event').filter((event) => event.version > version)
      expect(news.map((event) => event.version)).toEqual([version + 1, version + 2])
    }
  })

  test('that comes to the store only later has its first result all the same', async () => {
    const nodes = await Nodes.open()
    const { room, sessions, host } = await nodes.gather()
    const version = await nodes.store.truth.version(room)
    nodes.at(0).store.failNext('lost')
    const ready = { type: 'ready', room, id: 'r' }
    expect(await nodes.at(0).refusal(host, ready)).toBe('unavailable')
    const tab = nodes.at(1).connect(ANN)
    expect(await nodes.at(1).say(tab, ready)).toMatchObject({ type: 'ack', version: version + 1 })
    await nodes.settle()
    expect(await nodes.at(0).say(host, ready)).toMatchObject({ type: 'ack', version: version + 1 })
    for (const session of sessions) expect(session.last('event').version).toBe(version + 1)
  })
})

describe('F-R2: at another node', () => {
  test.each(['told', 'lost'] as const)(
    'a command that is repeated gets its first result, hints being %s',
    async (hints) => {
      const nodes = await Nodes.open()
      const { room, sessions } = await nodes.play()
      nodes.store.hints = hints
      const { session, move } = await nodes.at(0).nextMove({ room, sessions })
      const version = (await nodes.store.truth.version(room)) + 1
      await nodes.at(0).do(session, { ...move, id: 'm' })
      for (const table of nodes.tables) {
        const tab = table.connect(session.player)
        expect(await table.say(tab, { ...move, id: 'm' })).toMatchObject({ type: 'ack', version })
      }
      expect(await nodes.store.truth.version(room)).toBe(version)
    },
  )

  test('a command that is repeated before the node has heard of it is told to who watches as its answer', async () => {
    const nodes = await Nodes.open()
    const { room, host } = await nodes.gather()
    const tab = nodes.at(1).connect(ANN)
    await nodes.at(1).do(tab, { type: 'subscribe', room })
    nodes.store.hints = 'lost'
    const swap = { type: 'requestSwap', room, seat: 'east', id: 's' }
    const first = await nodes.at(0).do(host, swap)
    expect(await nodes.at(1).do(tab, swap)).toEqual(first)
    expect(await nodes.at(1).do(tab, swap)).toMatchObject({ type: 'ack', version: first.version })
    expect(tab.of('event')).toHaveLength(1)
  })

  test('a command that was refused is judged anew', async () => {
    const nodes = await Nodes.open()
    const [ann, bo] = [nodes.at(0).connect(ANN), nodes.at(0).connect(BO)]
    const room = await nodes.at(0).createRoom(ann)
    await nodes.at(0).do(ann, { type: 'sit', room, seat: 'south' })
    const sit = { type: 'sit', room, seat: 'south', id: 'again' }
    expect(await nodes.at(0).refusal(bo, sit)).toBe('seat_taken')
    await nodes.at(0).do(ann, { type: 'stand', room })
    const moved = nodes.at(1).connect(BO)
    expect(await nodes.at(1).do(moved, sit)).toMatchObject({ type: 'ack' })
    expect(await nodes.at(0).do(bo, sit)).toMatchObject({ type: 'ack' })
  })

  test('a draft that is repeated after the start is not refused', async () => {
    const nodes = await Nodes.open()
    const gathered = await nodes.deploy()
    const { room, sessions, host } = gathered
    const formation = await nodes.at(0).formation(gathered)
    const draft = { type: 'saveDraft', room, formation, id: 'd' }
    await nodes.at(0).do(host, draft)
    for (const session of sessions) {
      await nodes.at(0).do(session, { type: 'submitFormation', room, formation })
    }
    const tab = nodes.at(1).connect(ANN)
    expect(await nodes.at(1).do(tab, draft)).toMatchObject({ type: 'ack', version: null })
  })
})

/** What a socket that comes back at a node gets, compared with one that comes new, and one that never left. */
async function compareResumed(
  nodes: Nodes,
  { room }: Gathered,
  { n, stayed, since }: { n: number; stayed: FakeSession; since: number },
): Promise<void> {
  const table = nodes.at(n)
  const back = table.connect(stayed.player)
  await table.do(back, { type: 'subscribe', room, since })
  const fresh = table.connect(stayed.player)
  await table.do(fresh, { type: 'subscribe', room })
  await nodes.settle()
  expect(framesOf(back)).toEqual(framesOf(fresh))
  expect(framesOf(back).map(versionOf)).toEqual([versionOf(framesOf(stayed).at(-1) ?? '{}')])
  for (const session of [back, fresh]) table.disconnect(session)
  await nodes.settle()
}

test.each(['told', 'lost'] as const)(
  'F-R7, F-C4: who resumes at another node, from any version, gets a snapshot as up to date as who was always there, hints being %s',
  async (hints) => {
    const nodes = await Nodes.open(3)
    const gathered = await nodes.play({ preset: 'siguo-ally-open' }, 2)
    const { room, sessions } = gathered
    const watching = nodes.at(2).connect(EVE)
    await nodes.at(2).do(watching, { type: 'subscribe', room })
    for (let n = 0; n < 40; n++) {
      await nodes.at(0).step({ room, sessions })
      await nodes.settle()
      nodes.store.hints = hints
      const version = await nodes.store.truth.version(room)
      const stayed = [...sessions, watching][n % 5] ?? watching
      // Who looks on brings the stayed one's node up to date as well.
      for (const table of nodes.tables) await table.view(room, null)
      for (const since of [0, version >> 1, version - 3, version - 1, version, version + 1]) {
        await compareResumed(nodes, gathered, { n: (n + since) % 3, stayed, since })
      }
    }
    expect(nodes.faults).toEqual([])
  },
)

test('F-R8: the tabs of a player at two nodes are in step, and any of them acts', async () => {
  const nodes = await Nodes.open()
  const { room, sessions } = await nodes.play()
  const tabs = await Promise.all(
    sessions.map(async ({ player }, n) => {
      const tab = nodes.at((n + 1) % 2).connect(player)
      await nodes.at(0).do(tab, { type: 'subscribe', room })
      return tab
    }),
  )
  for (const session of [...sessions, ...tabs]) session.takeFrames()
  for (let n = 0; n < 8; n++) {
    await nodes.at(0).step({ room, sessions: n % 2 === 0 ? sessions : tabs })
    await nodes.settle()
  }
  for (const [n, session] of sessions.entries()) {
    expect(framesOf(session)).toHaveLength(8)
    expect(framesOf(tabs[n] ?? session)).toEqual(framesOf(session))
  }
})

describe('F-R8, R-DEPLOY-6: a draft', () => {
  async function tabsInDeployment() {
    const nodes = await Nodes.open()
    const gathered = await nodes.deploy()
    const { room, sessions, host } = gathered
    const tab = nodes.at(1).connect(ANN)
    await nodes.at(1).do(tab, { type: 'subscribe', room })
    const formations = await Promise.all([1, 2].map(() => nodes.at(0).formation(gathered)))
    const others = sessions.slice(1)
    for (const session of [...sessions, tab]) session.takeFrames()
    const save = (session: FakeSession, formation = '') =>
      nodes.at(0).do(session, { type: 'saveDraft', room, formation })
    return { nodes, room, host, tab, others, formations, save }
  }

  test('reaches the tabs of its player at every node once, and nobody else', async () => {
    const { nodes, host, tab, others, formations, save } = await tabsInDeployment()
    const [first, second] = formations
    await save(host, first)
    await nodes.settle()
    await save(tab, second)
    await nodes.settle()
    for (const each of [host, tab]) {
      expect(each.of('draft').map(({ formation }) => formation)).toEqual([first, second])
    }
    for (const other of others) expect(other.frames).toEqual([])
  })

  test('that was laid out before is told again when it is laid out again', async () => {
    const { nodes, host, tab, formations, save } = await tabsInDeployment()
    const [first, second] = formations
    for (const [session, formation] of [
      [host, first],
      [tab, second],
      [host, first],
    ] as const) {
      await save(session, formation)
      await nodes.settle()
    }
    for (const each of [host, tab]) {
      expect(each.of('draft').map(({ formation }) => formation)).toEqual([first, second, first])
    }
  })

  test('of which a hint comes late, twice or before the answer, is told once', async () => {
    const { nodes, host, tab, formations, save } = await tabsInDeployment()
    nodes.store.hints = 'held'
    for (const formation of formations) await save(host, formation)
    nodes.store.deliver((hints) => [...hints, ...hints].reverse())
    await nodes.settle()
    expect(tab.of('draft').map(({ formation }) => formation)).toEqual([formations[1]])
    expect(host.of('draft')).toHaveLength(2)
  })

  test('that the other tabs missed is told to them when the player comes with another one', async () => {
    const { nodes, room, host, tab, formations, save } = await tabsInDeployment()
    const [first, second] = formations
    await save(host, first)
    await nodes.settle()
    nodes.store.hints = 'lost'
    await save(host, second)
    const third = nodes.at(1).connect(ANN)
    await nodes.at(1).do(third, { type: 'subscribe', room })
    await nodes.settle()
    expect(tab.last('draft').formation).toBe(second)
    expect(third.last('snapshot').view.you.draft).toBe(second)
  })

  test('that was missed is told when the store is there again', async () => {
    const { nodes, host, tab, formations, save } = await tabsInDeployment()
    nodes.store.hints = 'lost'
    await save(host, formations[0])
    nodes.at(1).store.hear((hints) => hints.storeReplaced())
    await nodes.settle()
    expect(tab.of('draft').map(({ formation }) => formation)).toEqual([formations[0]])
  })

  test('that is laid out while a tab is being shown the room is told to it after that', async () => {
    const { nodes, room, host, formations, save } = await tabsInDeployment()
    const { store } = nodes.at(1)
    const third = nodes.at(1).connect(ANN)
    store.holdAnswers()
    const watching = nodes.at(1).do(third, { type: 'subscribe', room })
    await nodes.settle()
    store.release()
    store.holdAnswers()
    await nodes.settle()
    // The draft was read, and the answer is on its way.
    await save(host, formations[0])
    store.release()
    await watching
    await nodes.settle()
    expect(third.last('snapshot').view.you.draft).toBe(null)
    expect(third.of('draft').map(({ formation }) => formation)).toEqual([formations[0]])
  })

  test('R-DEPLOY-7: that was laid out at one node is played when time is up at another', async () => {
    const { nodes, room, host, tab, formations, save } = await tabsInDeployment()
    nodes.store.hints = 'lost'
    await save(host, formations[0])
    await save(tab, formations[1])
    nodes.at(1).store.die()
    await nodes.clock.advance(181_000)
    const { phase, game } = await nodes.at(0).view(room, ANN)
    expect(phase).toBe('playing')
    expect(game?.formations.south).toBe(formations[1])
  })

  test('F-H9: is read at nodes that have tabs of its player, and at no other', async () => {
    const { nodes, formations, save } = await tabsInDeployment()
    const cai = nodes.at(0).connect(CAI)
    const { store } = nodes.at(1)
    store.asked.length = 0
    await save(cai, formations[0])
    await nodes.settle()
    expect(store.asked).toEqual([])
  })

  test('F-H9: that is being read for its player keeps nobody else waiting, and makes no entry', async () => {
    const { nodes, room, host, tab, others, formations, save } = await tabsInDeployment()
    const [bo] = others
    if (bo === undefined) throw new Error('nobody there')
    const version = await nodes.store.truth.version(room)
    const { store } = nodes.at(1)
    store.holdQuestions('readDraft')
    await save(host, formations[0])
    const reply = await nodes.at(1).do(bo, { type: 'notReady', room })
    expect(reply).toMatchObject({ type: 'event', version: version + 1 })
    expect(tab.of('draft')).toEqual([])
    store.release()
    await nodes.settle()
    expect(tab.of('draft')).toHaveLength(1)
  })
})
