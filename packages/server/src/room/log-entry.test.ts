import { InvariantError } from '@junqi/engine'
import { expect, test } from 'vitest'
import { ANN, BO } from '../../test/support/players.ts'
import { PureRoom } from '../../test/support/pure-room.ts'
import { encodeEntry, parseEntry } from './log-entry.ts'

test('an entry reads back from its text as it was', () => {
  const room = new PureRoom({ host: ANN, preset: 'duel', private: true })
  room.play([ANN, BO])
  for (const entry of room.log) {
    expect(parseEntry({ version: entry.version, data: encodeEntry(entry) })).toEqual(entry)
  }
})

const good = { at: 1, player: ANN.id, command: 'c1', events: [{ type: 'deploymentStarted' }] }

test.each([
  ['no JSON', '{'],
  ['no object', '7'],
  ['a field missing', { ...good, at: undefined }],
  ['a field too many', { ...good, version: 3 }],
  ['an unknown event', { ...good, events: [{ type: 'pieceShown', kind: 'flag' }] }],
  ['an event without its type', { ...good, events: [{ seat: 'south' }] }],
  [
    'an event with a field too many',
    { ...good, events: [{ type: 'pieceMoved', from: 'g6', to: 'g7', kind: 'flag' }] },
  ],
  ['an event with a wrong field', { ...good, events: [{ type: 'turnSkipped', seat: 'up' }] }],
  [
    'a formation of something else',
    { ...good, events: [{ type: 'formationSubmitted', seat: 'south', formation: 'FF' }] },
  ],
  [
    'formations of other seats',
    { ...good, events: [{ type: 'gameStarted', first: 'south', formations: { up: 'F' } }] },
  ],
])('F-H3: an entry with %s is refused when it is read, not passed on', (_, data) => {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  expect(() => parseEntry({ version: 2, data: text })).toThrow(InvariantError)
})

test('F-H10: what is wrong with an entry is said without what is in it', () => {
  const secret = 'F'.repeat(25)
  const events = [{ type: 'formationSubmitted', seat: 'up', formation: secret }]
  const read = () => parseEntry({ version: 2, data: JSON.stringify({ ...good, events }) })
  expect(read).toThrow('entry 2 of the log is not of its form')
})
