import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { DURABLE, describeWithRedis, RedisServer } from '../../../../test/support/redis-server.ts'
import { seededRandom } from '../support/players.ts'
import { makeFolder, startProcess, stopProcesses } from '../support/server-process.ts'
import { command, deploy, seatedRoom, startRoom } from '../support/socket-table.ts'
import { eventually, type Message, makeGuest, TestClient } from '../support/test-app.ts'

afterEach(stopProcesses)

const heard = ({ messages }: TestClient): readonly string[] =>
  messages.filter(({ type }) => type === 'said').map(({ channel, text }) => `${channel}: ${text}`)
const tokens = new Map<TestClient, string>()

/** Players, each connected to the next of the servers. */
async function connectTo(urls: readonly string[], count: number): Promise<readonly TestClient[]> {
  const clients: TestClient[] = []
  for (let n = 0; n < count; n++) {
    const url = urls[n % urls.length] ?? ''
    const { token } = await makeGuest(url, `Player ${n}`)
    const client = await TestClient.hello(url, token)
    tokens.set(client, token)
    clients.push(client)
  }
  return clients
}

interface Talk {
  readonly room: string
  readonly players: readonly TestClient[]
  /** Ann sits south, Cai north, Bo east. */
  readonly ann: TestClient
  readonly bo: TestClient
  readonly cai: TestClient
  readonly eve: TestClient
}

/** Four play; Eve looks on. */
async function talkAt(urls: readonly string[]): Promise<Talk> {
  const [eve, ...players] = await connectTo(urls, 5)
  const room = await seatedRoom(players, 'siguo')
  const [ann, bo, cai] = players
  if (!eve || !ann || !bo || !cai) throw new Error('nobody there')
  await startRoom(players, room)
  await command(eve, { type: 'subscribe', room })
  await deploy(players, room, { preset: 'siguo', random: seededRandom(5) })
  return { room, players, ann, bo, cai, eve }
}

const say = (client: TestClient, room: string, channel: string, text: string) =>
  command(client, { type: 'say', room, channel, text })

let refusals = 0
async function refusal(client: TestClient, message: Message): Promise<Message> {
  const id = `refused${refusals++}`
  client.send({ ...message, id })
  return client.reply(id)
}

async function expectTalk({ room, players, ann, bo, cai, eve }: Talk): Promise<void> {
  await say(ann, room, 'table', '大家好')
  await eventually(() => players.every((player) => heard(player).includes('table: 大家好')))
  await say(cai, room, 'alliance', 'east first')
  await say(eve, room, 'spectators', 'who wins?')
  await say(bo, room, 'table', 'hello')
  await eventually(() => players.every((player) => heard(player).includes('table: hello')))
  await eventually(() => heard(ann).length === 3 && heard(eve).length === 1)
  expect(heard(ann)).toEqual(['table: 大家好', 'alliance: east first', 'table: hello'])
  expect(heard(bo)).toEqual(['table: 大家好', 'table: hello'])
  expect(heard(eve)).toEqual(['spectators: who wins?'])
}

describe('talk over LMDB', () => {
  test('R-CHAT-1, R-CHAT-3: is heard by whom it is for, and told again after a restart', async () => {
    const JUNQI_DATA_DIR = makeFolder()
    const before = await startProcess({ JUNQI_DATA_DIR })
    const talk = await talkAt([before.url])
    await expectTalk(talk)
    before.child.kill('SIGKILL')
    await before.exited
    const after = await startProcess({ JUNQI_DATA_DIR })
    const again = await TestClient.hello(after.url, tokens.get(talk.ann) ?? '')
    await command(again, { type: 'subscribe', room: talk.room })
    await eventually(() => heard(again).length === 3)
    expect([...heard(again)].sort()).toEqual([...heard(talk.ann)].sort())
  })

  test('R-CHAT-7, F-U5: a flood is slowed down, what is no line refused; neither costs the connection', async () => {
    const { url } = await startProcess({ JUNQI_DATA_DIR: makeFolder() })
    const { room, ann, bo } = await talkAt([url])
    const hey = { type: 'say', room, channel: 'table' }
    for (const text of [
      '',
      '\u202eevil',
      'a\nb',
      '\ud800',
      'x'.repeat(201),
      '\u200b',
      'x'.repeat(7_000),
    ]) {
      expect(await refusal(ann, { ...hey, text })).toMatchObject({
        type: 'error',
        code: 'bad_message',
      })
    }
    for (const wrong of [{}, { text: 'a', phrase: 'hello' }, { phrase: 'curse' }, { text: 7 }]) {
      expect(await refusal(ann, { ...hey, ...wrong })).toMatchObject({ code: 'bad_message' })
    }
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => refusal(ann, { ...hey, text: `${n}` })),
    )
    const slowed = answers.filter(({ code }) => code === 'rate_limited')
    expect(slowed.length).toBeGreaterThan(20)
    for (const answer of slowed) expect(answer).toMatchObject({ retryable: true })
    // A move is not held up by it, and neither is anybody else.
    await say(bo, room, 'table', 'still here')
    await eventually(() => heard(ann).includes('table: still here'))
    expect(heard(bo).length).toBe(heard(ann).length)
  })

  test('R-ROOM-1, F-H7: nobody looks on where nobody may, over socket or HTTP', async () => {
    const { url } = await startProcess({ JUNQI_DATA_DIR: makeFolder() })
    const [eve, ...players] = await connectTo([url], 5)
    if (eve === undefined || players[0] === undefined) throw new Error('nobody there')
    const room = await seatedRoom(players, 'siguo')
    await command(players[0], { type: 'setSpectators', room, spectators: { mode: 'none' } })
    await command(eve, { type: 'subscribe', room })
    await startRoom(players, room)
    await eve.find(({ type }) => type === 'dropped')
    expect(await refusal(eve, { type: 'subscribe', room })).toMatchObject({
      code: 'no_spectators',
      version: null,
    })
    const headers = { authorization: `Bearer ${tokens.get(eve) ?? ''}` }
    for (const asked of [{ headers }, {}]) {
      const response = await fetch(`${url}/v1/rooms/${room}`, asked)
      expect(response.status).toBe(403)
      expect(await response.json()).toMatchObject({ error: { code: 'no_spectators' } })
    }
    const own = { authorization: `Bearer ${tokens.get(players[0]) ?? ''}` }
    expect((await fetch(`${url}/v1/rooms/${room}`, { headers: own })).status).toBe(200)
  })
})

describeWithRedis('talk over two nodes with Redis', () => {
  let redis: RedisServer
  beforeAll(async () => {
    redis = await RedisServer.start(DURABLE)
  })
  afterAll(() => redis.stop())

  const start = () => startProcess({ JUNQI_STORE: 'redis', JUNQI_REDIS_URL: redis.url })

  test('R-CHAT-1, R-ROOM-4: what is said at one is heard at the other; who looks on is counted over both', async () => {
    const nodes = await Promise.all([start(), start()])
    const urls = nodes.map(({ url }) => url)
    const talk = await talkAt(urls)
    await expectTalk(talk)
    const [one, other] = await connectTo(urls, 2)
    if (one === undefined || other === undefined) throw new Error('nobody there')
    await command(one, { type: 'subscribe', room: talk.room, shown: true })
    await command(other, { type: 'subscribe', room: talk.room })
    const counts = (count: number) => (client: TestClient) =>
      client.messages.some((message) => message.type === 'onlookers' && message.count === count)
    const watching = [...talk.players, talk.eve, one, other]
    await eventually(() => watching.every(counts(3)))
    one.socket.close()
    await eventually(() =>
      talk.players.every((player) => {
        const last = player.messages.findLast(({ type }) => type === 'onlookers')
        return last?.count === 2
      }),
    )
  })

  test('R-CHAT-5: whom one mutes at one node it does not hear at the other', async () => {
    const nodes = await Promise.all([start(), start()])
    const urls = nodes.map(({ url }) => url)
    const { room, ann, bo, cai } = await talkAt(urls)
    const tab = await TestClient.hello(urls[0] ?? '', tokens.get(ann) ?? '')
    await command(tab, { type: 'subscribe', room })
    const { player } = await bo.reply('hello')
    const { id } = player as { readonly id: string }
    await command(tab, { type: 'mutePlayer', player: id, muted: true })
    await ann.find(({ type, players }) => type === 'mutes' && (players as string[]).includes(id))
    await say(bo, room, 'table', 'unheard')
    await say(cai, room, 'table', 'heard')
    await eventually(
      () => heard(ann).includes('table: heard') && heard(tab).includes('table: heard'),
    )
    for (const client of [ann, tab]) expect(heard(client)).toEqual(['table: heard'])
  })
})
