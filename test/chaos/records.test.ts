import { commandId, playerId, roomId } from '@junqi/protocol'
import { describe, expect, test } from 'vitest'
import { listingOf } from '../../packages/server/src/room/listing.ts'
import type { RoomEvent } from '../../packages/server/src/room/room-event.ts'
import { PureRoom } from '../../packages/server/test/support/pure-room.ts'
import type { Acknowledged } from '../support/ledger.ts'
import { ClosedRooms, lostDrafts, type StoredRoom, wrongIndexes } from './records.ts'

const ROOM = roomId.parse('k7w2m9qx')
const ANN = { id: playerId.parse('2w9h4t7kz0pm'), name: 'Ann' }
const BO = { id: playerId.parse('8b3xq6nd1vcr'), name: 'Bo' }

/** A room in deployment as it should be stored. */
function inDeployment(isPrivate = false): StoredRoom {
  const room = new PureRoom({ host: ANN, preset: 'duel', private: isPrivate })
  room.deploy([ANN, BO])
  return storedAs(room)
}

function storedAs({ log, state }: PureRoom): StoredRoom {
  const line = listingOf(state)
  return { log, deadline: state.deadline, line, end: null, isFailed: false, drafts: new Map() }
}

describe('what is kept beside a log', () => {
  const whole = inDeployment()

  test.each([
    ['a public room', whole],
    ['a private one', inDeployment(true)],
    ['none', { ...whole, log: [], deadline: null, line: null }],
  ])('%s: nothing is wrong', (_, stored) => {
    expect(wrongIndexes(ROOM, stored)).toEqual([])
  })

  test.each<[string, Partial<StoredRoom>, string]>([
    ['F-T6: a room that lives is not due', { deadline: null }, '"deadline":null'],
    ['F-T2: it is due at another time', { deadline: 5 }, '"deadline":5'],
    ['F-C7: it is not listed', { line: null }, '"line":null'],
    ['F-C7: what is listed has no log', { log: [], deadline: null }, 'its log says'],
    ['F-S4: a private room is listed', { ...inDeployment(true), line: '{}' }, '"line":"{}"'],
    ['F-C7: it is listed otherwise', { line: '{}' }, '"line":"{}"'],
    ['an end is kept of a game that has none', { end: '{}' }, '"end":"{}"'],
    ['it has failed', { isFailed: true }, '"isFailed":true'],
  ])('%s: it is found out', (_, change, fault) => {
    const found = wrongIndexes(ROOM, { ...whole, ...change })
    expect(found).toEqual([expect.stringContaining(fault)])
  })
})

describe('F-C6: a room that was closed', () => {
  const NONE: StoredRoom = { ...inDeployment(), log: [], deadline: null, line: null }
  /** A room whose last entry was made at a time. */
  const lastAt = (at: number, events: readonly RoomEvent[] = []): StoredRoom => {
    const room = inDeployment()
    const last = { version: room.log.length + 1, at, player: null, command: null, events }
    return { ...room, log: [...room.log, last] }
  }
  const CLOSING = [{ type: 'roomClosed' }] as const
  const OTHER = roomId.parse('zzzzzzzz')
  const MINUTE = 60_000

  test.each<[string, StoredRoom, number, boolean]>([
    ['is there no more after ten minutes', lastAt(0, CLOSING), 10 * MINUTE, true],
    ['is missed before that', lastAt(0, CLOSING), 8 * MINUTE, false],
    ['or if it was not closed', lastAt(0), 10 * MINUTE, false],
  ])('%s', (_, before, now, isExpected) => {
    const closed = new ClosedRooms()
    expect(closed.complete(new Map([[ROOM, before]])).get(ROOM)).toBe(before)
    const read = new Map([
      [ROOM, NONE],
      [OTHER, lastAt(now)],
    ])
    expect(closed.complete(read).get(ROOM)).toBe(isExpected ? before : NONE)
  })
})

describe('drafts', () => {
  const draft = (formation: string): Acknowledged => ({
    player: BO.id,
    command: { type: 'saveDraft', id: commandId.parse(formation), room: ROOM, formation },
    room: ROOM,
    version: null,
    seen: inDeployment().log.length,
  })
  const stored = (formation: string | null): ReadonlyMap<typeof ROOM, StoredRoom> => {
    const drafts = new Map(formation === null ? [] : [[BO.id, formation]])
    return new Map([[ROOM, { ...inDeployment(), drafts }]])
  }

  test.each([
    ['the last one that was acknowledged', 'B', 0],
    ['a later one, which was under way', 'C', 0],
    ['an earlier one', 'A', 1],
    ['none', null, 1],
  ])('%s is there', (_, formation, lost) => {
    const books = { acknowledged: [draft('A'), draft('B')], open: [draft('C')] }
    expect(lostDrafts(books, stored(formation))).toHaveLength(lost)
  })
})
