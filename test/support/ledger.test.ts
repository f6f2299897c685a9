import {
  type ClientMessage,
  commandId,
  playerId,
  roomId,
  type ServerMessage,
} from '@junqi/protocol'
import { describe, expect, test } from 'vitest'
import { Ledger } from './ledger.ts'

const room = roomId.parse('k7w2m9qx')
const player = playerId.parse('2w9h4t7kz0pm')
const id = commandId.parse('c1')
const ready: ClientMessage = { type: 'ready', id, room }
const subscribe: ClientMessage = { type: 'subscribe', id: commandId.parse('s1'), room, since: 3 }
const ack = (version: number): ServerMessage => ({ type: 'ack', re: id, room, version })
const refusal: ServerMessage = {
  type: 'error',
  re: id,
  code: 'busy',
  message: '',
  retryable: true,
  retryAfterMs: null,
  room,
  version: null,
  turn: null,
}
const illegal: ServerMessage = { ...refusal, code: 'illegal_move', retryable: false }
const event = (version: number): ServerMessage => ({
  type: 'event',
  room,
  version,
  turn: null,
  next: null,
  until: null,
  events: [],
})

describe('the ledger', () => {
  test('F-R2: writes down an acknowledgement once, with the first result', () => {
    const ledger = new Ledger()
    const before = ledger.open(player)
    before.sent(subscribe)
    before.sent(ready)
    before.received(ack(4))
    const after = ledger.open(player)
    after.sent(ready)
    after.received(ack(4))
    expect(ledger.acknowledged).toEqual([{ player, command: ready, room, version: 4, seen: 3 }])
    expect(ledger.faults).toEqual([])
  })

  test('F-C2: what was accepted may be refused for the moment', () => {
    const ledger = new Ledger()
    const lines = ledger.open(player)
    lines.sent(ready)
    lines.received(ack(4))
    lines.sent(ready)
    lines.received(refusal)
    expect(ledger.faults).toEqual([])
    expect(ledger.unanswered).toEqual([])
  })

  test('keeps what was sent and not answered', () => {
    const ledger = new Ledger()
    const lines = ledger.open(player)
    lines.sent(ready)
    expect(ledger.unanswered).toMatchObject([{ player, command: ready }])
    lines.received(refusal)
    expect(ledger.unanswered).toEqual([])
    expect([...ledger.refusals]).toEqual([['busy', 1]])
    lines.sent(ready)
    expect(ledger.unanswered).toMatchObject([{ player, command: ready }])
  })

  test.each<[string, readonly (ClientMessage | ServerMessage)[], string]>([
    ['a second reply', [ready, ack(4), ack(4)], 'a reply too many to c1: ack'],
    ['a reply to nothing', [ack(4)], 'a reply too many to c1: ack'],
    ['another result', [ready, ack(4), ready, ack(5)], 'c1 was k7w2m9qx 4, and then k7w2m9qx 5'],
    [
      'a refusal after the result',
      [ready, ack(4), ready, illegal],
      'c1 was accepted, and then refused: illegal_move',
    ],
    ['a gap', [subscribe, event(5)], 'version 5 follows 3'],
    ['an event twice', [subscribe, event(4), event(4)], 'version 4 follows 4'],
  ])('F-R1: finds %s', (_, messages, fault) => {
    const ledger = new Ledger()
    const lines = ledger.open(player)
    for (const message of messages) {
      if (message === ready || message === subscribe) lines.sent(message)
      else if ('re' in message || message.type === 'event') lines.received(message)
    }
    expect(ledger.faults).toContainEqual(expect.stringContaining(fault))
  })
})
