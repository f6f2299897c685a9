import { commandId, playerId, roomId } from '@junqi/protocol'
import { describe, expect, test } from 'vitest'
import { PureRoom } from '../../packages/server/test/support/pure-room.ts'
import type { Acknowledged } from '../support/ledger.ts'
import { lostDrafts, type StoredRoom, wrongIndexes } from './records.ts'

const ROOM = roomId.parse('k7w2m9qx')
const ANN = { id: playerId.parse('2w9h4t7kz0pm'), name: 'Ann' }
const BO = { id: playerId.parse('8b3xq6nd1vcr'), name: 'Bo' }

/** A room in deployment as it should be stored. */
function inDeployment(isPrivate = false): StoredRoom {
  const room = new PureRoom({ host: ANN, preset: 'duel', private: isPrivate })
  room.deploy([ANN, BO])
  const { deadline } = room.state
  return { log: room.log, deadline, isListed: !isPrivate, isFailed: false, drafts: new Map() }
}

describe('what is kept beside a log', () => {
  const whole = inDeployment()

  test.each([
    ['a public room', whole],
    ['a private one', inDeployment(true)],
    ['none', { ...whole, log: [], deadline: null, isListed: false }],
  ])('%s: nothing is wrong', (_, stored) => {
    expect(wrongIndexes(ROOM, stored)).toEqual([])
  })

  test.each<[string, Partial<StoredRoom>, string]>([
    ['F-T6: a room that lives is not due', { deadline: null }, 'is due at null'],
    ['F-T2: it is due at another time', { deadline: 5 }, 'is due at 5'],
    ['F-C7: it is not listed', { isListed: false }, 'is not listed'],
    ['F-C7: what is listed has no log', { log: [], deadline: null }, 'is listed'],
    ['F-S4: a private room is listed', { ...inDeployment(true), isListed: true }, 'is listed'],
    ['it has failed', { isFailed: true }, 'has failed'],
  ])('%s: it is found out', (_, change, fault) => {
    const found = wrongIndexes(ROOM, { ...whole, ...change })
    expect(found).toEqual([expect.stringContaining(fault)])
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
