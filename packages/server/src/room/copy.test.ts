import { roomId } from '@junqi/protocol'
import { expect, test } from 'vitest'
import { ANN } from '../../test/support/players.ts'
import { PureRoom } from '../../test/support/pure-room.ts'
import { RoomCopy } from './copy.ts'
import { encodeEntry, parseEntry } from './log-entry.ts'
import { replay } from './replay.ts'

const ROOM = roomId.parse('k7w2m9qx')
const EMPTY = { read: async () => [] }

/** A node's copy of a room whose last entry was made at this time. */
function copyOf(at: number): RoomCopy {
  const { log } = new PureRoom({ host: ANN })
  const stored = log.map((entry) => ({
    version: entry.version,
    data: encodeEntry({ ...entry, at }),
  }))
  return new RoomCopy(ROOM, EMPTY, replay(stored))
}

const seatTaken = (at: number) => ({
  at,
  player: ANN.id,
  command: null,
  events: [{ type: 'seatTaken' as const, seat: 'south' as const, player: ANN }],
})

test.each([
  ['a clock ahead of the last entry', 1007, 1007],
  ['a clock behind it', 993, 1000],
])('F-T4: in a log time does not go back: %s', (_, now, at) => {
  const copy = copyOf(1000)
  const step = copy.next(seatTaken(now))
  expect(step.entry.at).toBe(at)
  expect(parseEntry({ version: 2, data: step.data }).at).toBe(at)
})

test('F-T4: nor after an entry of another node, or another log', () => {
  const copy = copyOf(1000)
  const data = encodeEntry(seatTaken(1050))
  copy.take(copy.read({ version: 2, data }))
  expect(copy.next(seatTaken(1001)).entry.at).toBe(1050)
  copy.startOver(replay([{ version: 1, data: encodeEntry({ ...firstEntry(), at: 1020 }) }]))
  expect(copy.next(seatTaken(1001)).entry.at).toBe(1020)
})

function firstEntry() {
  const [entry] = new PureRoom({ host: ANN }).log
  if (entry === undefined) throw new Error('no entry')
  return entry
}
