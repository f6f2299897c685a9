import { CHANNELS, type Channel, type Spectators } from '@junqi/protocol'
import { describe, expect, test } from 'vitest'
import { ANN, BO, CAI, DEE, EVE } from '../../test/support/players.ts'
import { PureRoom, START } from '../../test/support/pure-room.ts'
import { decideSay, heardBy } from './chat-rules.ts'

const PLAYERS = [ANN, BO, CAI, DEE]
const NAMES = { Ann: ANN, Cai: CAI, Bo: BO, Eve: EVE }
type Name = keyof typeof NAMES
type Options = Readonly<Record<string, unknown>>

/** Ann (south) and Cai (north) are allies, Bo and Dee the others; Eve looks on. */
function room(options: Options = {}, spectators?: Spectators): PureRoom {
  const made = new PureRoom({
    host: ANN,
    options: { resignFromMove: 0, leaving: 'forfeit', ...options },
  })
  if (spectators !== undefined) made.act(ANN, { type: 'setSpectators', spectators })
  return made
}

function lobby(options?: Options): PureRoom {
  const made = room(options)
  made.sit(PLAYERS)
  return made
}

function deployment(options?: Options, spectators?: Spectators): PureRoom {
  const made = room(options, spectators)
  made.deploy(PLAYERS)
  return made
}

function playing(options?: Options, spectators?: Spectators): PureRoom {
  const made = room({ firstSeat: 'south', ...options }, spectators)
  made.play(PLAYERS)
  return made
}

function duel(): PureRoom {
  const made = new PureRoom({ host: ANN, preset: 'duel' })
  made.play([ANN, BO])
  return made
}

function annOut(options?: Options): PureRoom {
  const made = playing(options)
  made.act(ANN, { type: 'resign', turn: 0 })
  return made
}

function annLeft(options?: Options): PureRoom {
  const made = playing(options)
  made.act(ANN, { type: 'leave' })
  return made
}

function finished(options?: Options): PureRoom {
  const made = annLeft(options)
  made.act(CAI, { type: 'leave' })
  expect(made.state.phase).toBe('finished')
  return made
}

const says = ({ state }: PureRoom, name: Name): readonly Channel[] =>
  CHANNELS.filter((channel) => decideSay(state, NAMES[name].id, channel).ok)
const hears = ({ state }: PureRoom, name: Name): readonly Channel[] =>
  heardBy(state, NAMES[name].id).map(({ channel }) => channel)

const AT_TABLE: readonly Channel[] = ['table', 'alliance']

/** Who may say what, and who hears what. */
const TABLE: readonly (readonly [
  string,
  () => PureRoom,
  Readonly<Partial<Record<Name, { says: readonly Channel[]; hears: readonly Channel[] }>>>,
])[] = [
  [
    'lobby: everybody together',
    lobby,
    {
      Ann: { says: ['room'], hears: ['room'] },
      Eve: { says: ['room'], hears: ['room'] },
    },
  ],
  [
    'deployment: players and spectators apart',
    deployment,
    {
      Ann: { says: AT_TABLE, hears: AT_TABLE },
      Bo: { says: AT_TABLE, hears: AT_TABLE },
      Eve: { says: ['spectators'], hears: ['spectators'] },
    },
  ],
  [
    'play: the same',
    playing,
    {
      Ann: { says: AT_TABLE, hears: AT_TABLE },
      Eve: { says: ['spectators'], hears: ['spectators'] },
    },
  ],
  [
    'out, and shown the pieces of its ally: not to the table',
    () => annOut({ eliminatedView: 'ally' }),
    {
      Ann: { says: ['alliance'], hears: AT_TABLE },
      Cai: { says: AT_TABLE, hears: AT_TABLE },
      Bo: { says: AT_TABLE, hears: AT_TABLE },
    },
  ],
  ...(
    [
      ['own', 'allDark'],
      ['public', 'allDark'],
      ['ally', 'allyOpen'],
      ['own', 'allyOpen'],
      ['public', 'allyOpen'],
      ['ally', 'allOpen'],
      ['own', 'allOpen'],
      ['public', 'allOpen'],
    ] as const
  ).map(
    ([eliminatedView, visibility]) =>
      [
        `out under ${visibility}, and shown nothing new by ${eliminatedView}: as before`,
        () => annOut({ eliminatedView, visibility }),
        { Ann: { says: AT_TABLE, hears: AT_TABLE } },
      ] as const,
  ),
  [
    'left: a spectator',
    annLeft,
    {
      Ann: { says: ['spectators'], hears: ['spectators'] },
      Cai: { says: AT_TABLE, hears: AT_TABLE },
    },
  ],
  [
    'finished: together again, and what was said apart stays apart',
    finished,
    {
      Bo: { says: ['room'], hears: ['room', ...AT_TABLE] },
      Ann: { says: ['room'], hears: ['room', 'spectators'] },
      Eve: { says: ['room'], hears: ['room', 'spectators'] },
    },
  ],
  [
    'no spectators',
    () => playing({}, { mode: 'none' }),
    { Ann: { says: AT_TABLE, hears: AT_TABLE }, Eve: { says: [], hears: [] } },
  ],
  [
    'spectators who are behind',
    () => playing({}, { mode: 'delayed', moves: 5 }),
    {
      Ann: { says: AT_TABLE, hears: AT_TABLE },
      Eve: { says: ['spectators'], hears: ['spectators'] },
    },
  ],
]

test.each(TABLE)('F-H7, R-CHAT-1, R-CHAT-4: %s', (_, make, expected) => {
  const made = make()
  for (const name of Object.keys(expected) as Name[]) {
    expect([name, says(made, name), hears(made, name)]).toEqual([
      name,
      expected[name]?.says,
      expected[name]?.hears,
    ])
  }
})

describe('R-CHAT-2: who hears whom', () => {
  const streams = ({ state }: PureRoom, name: Name) =>
    heardBy(state, NAMES[name].id).map(({ name: stream, part }) => `${stream} ${part}`)

  test('allies hear each other and not the others', () => {
    const made = playing()
    expect(streams(made, 'Ann')).toEqual(streams(made, 'Cai'))
    expect(streams(made, 'Ann')).not.toEqual(streams(made, 'Bo'))
    expect(streams(made, 'Ann')[0]).toBe(streams(made, 'Bo')[0])
  })

  test('where everyone plays alone there is no alliance', () => {
    const made = duel()
    expect(hears(made, 'Ann')).toEqual(['table'])
    expect(says(made, 'Ann')).toEqual(['table'])
  })

  test('who sits there after a deployment was broken off does not hear what was said before', () => {
    const made = deployment()
    const before = streams(made, 'Ann')
    made.act(CAI, { type: 'stand' })
    expect(streams(made, 'Ann')).toEqual(['room 0'])
    made.act(EVE, { type: 'sit', seat: 'north', invitation: null })
    for (const player of [ANN, BO, EVE, DEE]) made.act(player, { type: 'ready' })
    made.act(ANN, START)
    expect(streams(made, 'Eve')).toEqual(streams(made, 'Ann'))
    expect(streams(made, 'Eve').filter((stream) => before.includes(stream))).toEqual([])
  })

  test('a flip game has no deployment: its talk is its own all the same', () => {
    const made = deployment()
    const before = streams(made, 'Ann')
    made.act(CAI, { type: 'stand' })
    for (const player of [BO, DEE]) made.act(player, { type: 'stand' })
    made.act(ANN, { type: 'setRules', preset: 'flip', options: {} })
    made.act(EVE, { type: 'sit', seat: 'north', invitation: null })
    for (const player of [ANN, EVE]) made.act(player, { type: 'ready' })
    made.act(ANN, START)
    expect(made.state.phase).toBe('playing')
    expect(hears(made, 'Eve')).toEqual(['table'])
    expect(says(made, 'Bo')).toEqual(['spectators'])
    expect(streams(made, 'Eve').filter((stream) => before.includes(stream))).toEqual([])
  })

  test.each<[string, () => PureRoom, Name, Channel, string]>([
    [
      'where nobody has an ally',
      duel,
      'Ann',
      'alliance',
      'Nobody has an ally by the rules of this room.',
    ],
    ['in the lobby', lobby, 'Ann', 'table', 'No game runs: before it and after it everybody talks'],
    ['after the end', finished, 'Ann', 'table', 'No game runs: before it and after it everybody'],
    ['while the game runs', playing, 'Ann', 'room', 'While the game runs the table, allies and'],
    ['without a seat', playing, 'Eve', 'table', 'In this channel those who have a seat talk.'],
    ['at the table', playing, 'Bo', 'spectators', 'In this channel those who have no seat talk.'],
  ])('a closed channel tells why it is, and where to talk: %s', (_, made, name, channel, right) => {
    expect(decideSay(made().state, NAMES[name].id, channel)).toMatchObject({
      error: { code: 'channel_closed', message: expect.stringContaining(right) },
    })
  })

  test('a private room is not there for a stranger, and a closed one says so', () => {
    const hidden = new PureRoom({ host: ANN, private: true })
    expect(heardBy(hidden.state, EVE.id)).toEqual([])
    for (const channel of CHANNELS) {
      expect(decideSay(hidden.state, EVE.id, channel)).toMatchObject({
        error: { code: 'room_not_found' },
      })
    }
    const over = room()
    over.act(ANN, { type: 'leave' })
    expect(decideSay(over.state, EVE.id, 'room')).toMatchObject({ error: { code: 'room_closed' } })
  })
})
