import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  expectPlayed,
  isShort,
  PLAYABLE,
  presetAndActions,
  recordNumber,
  SAMPLES,
  samplePath,
} from './play-cases.ts'
import { type PlayServer, startPlayServer } from './play-server.ts'
import { type Json, type Meddling, startProxy } from './proxy.ts'
import { type CliRun, runCli } from './run-cli.ts'

let server: PlayServer
beforeAll(async () => {
  server = await startPlayServer()
})
afterAll(() => server.stop())

/** Plays a record that is given as JSON. */
const play = (record: object, servers: readonly string[] = [server.url]): Promise<CliRun> =>
  runCli(['play', '-', ...servers.flatMap((url) => ['--server', url])], {
    stdin: JSON.stringify(record),
  })

describe.concurrent('junqi play', () => {
  test.each(SAMPLES)('plays game-%i.jgs to its result', async (game, result) => {
    const played = await runCli(['play', samplePath(game), '--server', server.url])
    expectPlayed(played, { rules: { preset: 'siguo' }, actions: [], result })
  })

  test.each(PLAYABLE.filter(isShort).map(presetAndActions))(
    'plays record %i of the vectors: %s, %i actions',
    async (_number, _preset, _actions, record) => {
      expectPlayed(await play(record), record)
    },
  )
})

/** A whole game of siguo: 29 moves, and then a draw is agreed. */
const GAME = recordNumber(26)

async function throughProxy<T>(meddling: Meddling, run: (url: string) => Promise<T>): Promise<T> {
  const proxy = await startProxy(server.url, meddling)
  try {
    return await run(proxy.url)
  } finally {
    await proxy.close()
  }
}

test('junqi play spreads the seats over several servers, and asks each for the record', async () => {
  const records: Json[] = []
  const record = (told: Json) => {
    records.push(told)
    return told
  }
  await throughProxy({ record }, async (other) => {
    const played = await play(GAME, [server.url, other])
    expectPlayed(played, GAME)
    const receipts = played.stdout.trimEnd().split('\n').slice(1)
    expect(receipts.map((receipt) => receipt.split(' ').at(-1))).toEqual([
      server.url,
      other,
      server.url,
      other,
      server.url,
    ])
  })
  expect(records).toHaveLength(1)
})

test('junqi play waits where guests are made too fast', async () => {
  const slow = await startPlayServer({ JUNQI_RATE_GUESTS: '100/s burst 1' })
  onTestFinished(slow.stop)
  expectPlayed(await play(GAME, [slow.url]), GAME)
})

test('junqi play goes on by itself when a connection breaks', async () => {
  let cuts = 0
  const toGuest: Meddling['toGuest'] = (name, frame, line) => {
    if (name !== 'junqi west' || frame.turn !== 10 || cuts > 0) return [frame]
    cuts += 1
    line.cut()
    return []
  }
  const played = await throughProxy({ toGuest }, (url) => play(GAME, [url]))
  expectPlayed(played, GAME)
  expect(cuts).toBe(1)
})

test('junqi play of an unfinished record plays what there is, and says so', async () => {
  const actions = GAME.actions.slice(0, 3)
  const { code, stdout } = await play({ ...GAME, actions, result: null })
  expect({ code, first: stdout.split('\n')[0] }).toEqual({
    code: 0,
    first: 'result: null (unfinished after 3 actions)',
  })
})

test('junqi play shows how far it is on a terminal, and wipes that', async () => {
  const stdin = JSON.stringify({ ...GAME, actions: GAME.actions.slice(0, 2), result: null })
  const args = ['play', '-', '--server', server.url]
  const { stderr } = await runCli(args, { stdin, isTTY: true })
  expect(stderr.split('\r\x1b[K')).toEqual(['', 'play: action 1 of 2', 'play: action 2 of 2', ''])
})

type Frames = (frame: Json) => readonly Json[]

/** Meddles with what a viewer is told of the entry after which so many turns are complete. */
const told = (viewer: string, turn: number, frames: Frames): Meddling => ({
  toGuest: (name, frame) =>
    name === `junqi ${viewer}` && frame.type === 'event' && frame.turn === turn
      ? frames(frame)
      : [frame],
})

const changed = (viewer: string, turn: number, change: (frame: Json) => Json): Meddling =>
  told(viewer, turn, (frame) => [change(frame)])

const itemsOf = (json: Json, field: string): readonly Json[] => {
  const items = json[field]
  return Array.isArray(items) ? items : []
}

const withEvent = (type: string, change: (event: Json) => Json) => (frame: Json) => ({
  ...frame,
  events: itemsOf(frame, 'events').map((event) => (event.type === type ? change(event) : event)),
})

const nextVersion = (frame: Json): Json => ({ ...frame, version: Number(frame.version) + 1 })

/** The connection breaks; the snapshot that comes after it is not true. */
function lyingSnapshot(): Meddling {
  let isCut = false
  return {
    toGuest: (name, frame, line) => {
      if (name !== 'junqi west') return [frame]
      if (frame.type === 'snapshot' && isCut) {
        return [{ ...frame, view: { ...object(frame.view), phase: 'finished' } }]
      }
      if (frame.turn !== 10 || isCut) return [frame]
      isCut = true
      line.cut()
      return []
    },
    toServer: (_, { since: _since, ...frame }) => frame,
  }
}

const object = (value: unknown): object =>
  typeof value === 'object' && value !== null ? value : {}

const DIFFERENCES: readonly (readonly [string, Meddling, string | RegExp])[] = [
  [
    'a hidden kind that is told',
    changed(
      'west',
      0,
      withEvent('gameStarted', (event) => ({
        ...event,
        pieces: itemsOf(event, 'pieces').map((piece) =>
          piece.kind === 'hidden' ? { ...piece, kind: 'engineer' } : piece,
        ),
      })),
    ),
    /^west, the formation of west: events\.1\.pieces\.\d+\.kind: expected "hidden", got "engineer"$/,
  ],
  [
    'another outcome',
    changed(
      'north',
      2,
      withEvent('pieceAttacked', (event) => ({ ...event, outcome: 'bothRemoved' })),
    ),
    'north, action 2 (l9-g6): events.0.outcome: expected "attackerWins", got "bothRemoved"',
  ],
  [
    'an event too many',
    told('east', 3, (frame) => [frame, nextVersion(frame)]),
    /^east, action 3 \(k12-f11\), later: expected nothing, got \{"version":22,/,
  ],
  [
    'a version left out',
    changed('south', 3, nextVersion),
    'south, action 3 (k12-f11): version: expected 21, got 22',
  ],
  [
    'an event told twice',
    told('south', 3, (frame) => [frame, frame]),
    /^south, action 3 \(k12-f11\), later: expected nothing, got \{"version":21,/,
  ],
  [
    'another turn',
    changed('spectator', 1, (frame) => ({ ...frame, turn: 2 })),
    'spectator, action 1 (i6-f9): turn: expected 1, got 2',
  ],
  [
    'another seat to move',
    changed('spectator', 1, (frame) => ({ ...frame, next: 'west' })),
    'spectator, action 1 (i6-f9): next: expected "east", got "west"',
  ],
  [
    'another deadline than the others are told',
    changed('spectator', 1, (frame) => ({ ...frame, until: 1 })),
    /, action 1 \(i6-f9\): until: expected \d+, got \d+$/,
  ],
  [
    'no deadline',
    changed('spectator', 1, (frame) => ({ ...frame, until: null })),
    /, action 1 \(i6-f9\): until: expected (\d+|"a deadline"), got (null|\d+)$/,
  ],
  [
    'another formation at the end',
    changed(
      'east',
      29,
      withEvent('gameEnded', (event) => ({
        ...event,
        formations: { ...object(event.formations), south: null },
      })),
    ),
    /^east, action 30 \(draw agreed\): events\.1\.formations\.south: expected ".{25}", got null$/,
  ],
  [
    'a message that is none of the protocol',
    changed('north', 1, (frame) => ({ ...frame, hidden: [] })),
    'north, not understood: event has no field hidden; its fields are type, room, version, re, turn, next, until, events.',
  ],
  [
    'a snapshot that is not true',
    lyingSnapshot(),
    /^west, action 10 \(l11-k5\): phase: expected "playing", got "finished"$/,
  ],
  [
    'a command that is refused',
    {
      toServer: (_, frame) => (frame.type === 'move' ? { ...frame, to: frame.from } : frame),
    },
    /^south, action 1 \(i6-f9\): illegal_move: /,
  ],
  [
    'another record',
    { record: (record) => ({ ...record, first: 'west' }) },
    /^the record of http:.*: first: expected "south", got "west"$/,
  ],
]

describe.concurrent('junqi play ends at the first difference with exit code 1', () => {
  test.each(DIFFERENCES)('%s', async (_, meddling, sentence) => {
    const { code, stdout, stderr } = await throughProxy(meddling, (url) => play(GAME, [url]))
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    const [said = '', ...more] = stderr.split('\n')
    expect(more).toEqual([''])
    if (typeof sentence === 'string') expect(said).toBe(`junqi: ${sentence}`)
    else expect(said.replace(/^junqi: /, '')).toMatch(sentence)
  })
})

describe('junqi play refuses', () => {
  const refusal = async (record: object, servers: readonly string[]) => {
    const { code, stdout, stderr } = await play(record, servers)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    return stderr
  }

  test('a record with an illegal action, before it asks anything of a server', async () => {
    const record = { ...GAME, actions: ['a1-a1'], result: null }
    expect(await refusal(record, [])).toBe('junqi: -: action 1 is illegal: a1-a1\n')
  })

  test('a record with a result that its actions do not lead to', async () => {
    const record = { ...GAME, result: { winners: ['south', 'north'], reason: 'noMoves' } }
    expect(await refusal(record, [])).toBe(
      'junqi: -: the result is {"winners":["south","north"],"reason":"noMoves"}, ' +
        'but the actions lead to {"winners":[],"reason":"agreed"}\n',
    )
  })

  test('a server that does not answer', async () => {
    const gone = await startProxy(server.url)
    await gone.close()
    expect(await refusal(GAME, [gone.url])).toMatch(
      /^junqi: south, a guest on http:\S+: unavailable: http:\S+ does not answer: .*ECONNREFUSED.*\n$/,
    )
  })

  test('servers that do not know the same rooms', async () => {
    const other = await startPlayServer()
    onTestFinished(other.stop)
    expect(await refusal(GAME, [server.url, other.url])).toMatch(
      /^junqi: east, entering the room by http:\S+: room_not_found: .* share one store\.\n$/,
    )
  })

  test.each([['127.0.0.1:8080'], ['ftp://127.0.0.1'], ['']])('the address %j', async (address) => {
    expect(await runCli(['play', '-', '--server', address])).toEqual({
      code: 2,
      stdout: '',
      stderr: `junqi: --server must be an address such as http://127.0.0.1:8080, not ${address}\n`,
    })
  })
})
