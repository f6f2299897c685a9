import { InvariantError } from '@junqi/engine'
import { afterEach, describe, expect, test } from 'vitest'
import {
  asReplyTo,
  decodeClientMessage,
  decodeServerMessage,
  encodeClientMessage,
  encodeServerMessage,
  readServerMessage,
  strictEncoding,
} from './codec.ts'
import { commandId, roomId } from './ids.ts'
import type { ServerMessage } from './server-message.ts'

const id = commandId.parse('c1')
const room = roomId.parse('k7w2m9qx')
const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values)
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

afterEach(() => strictEncoding(true))

describe('decodeClientMessage', () => {
  test('reads text and bytes alike', () => {
    const frame = '{"type":"ping","id":"c1"}'
    const expected = { ok: true, value: { type: 'ping', id: 'c1' } }
    expect(decodeClientMessage(frame)).toEqual(expected)
    expect(decodeClientMessage(utf8(frame))).toEqual(expected)
  })

  test.each([
    ['no text', ''],
    ['no JSON', 'move g6 g7'],
    ['two documents', '{} {}'],
    ['an array', '[{"type":"ping","id":"c1"}]'],
    ['null', 'null'],
    ['a number', '1'],
    ['a comment', '/**/{"type":"ping","id":"c1"}'],
    ['a byte order mark', utf8('\uFEFF{"type":"ping","id":"c1"}')],
    ['an overlong slash', bytes(0x22, 0xc0, 0xaf, 0x22)],
    ['a surrogate in UTF-8', bytes(0x22, 0xed, 0xa0, 0x80, 0x22)],
    ['a cut-off character', bytes(0x7b, 0x22, 0xe5, 0x86)],
    ['a million open brackets', '['.repeat(1_000_000)],
  ])('bad_json: %s', (_, raw) => {
    expect(decodeClientMessage(raw)).toEqual({
      ok: false,
      error: { code: 'bad_json', message: 'A frame is one JSON object in UTF-8.', id: null },
    })
  })

  test.each([
    [
      'an unknown type',
      '{"type":"peek","id":"c1"}',
      'unknown_type',
      'The type of a message is one of hello, ping, subscribe',
    ],
    [
      'a name that every object has',
      '{"type":"constructor","id":"c1"}',
      'unknown_type',
      'The type of',
    ],
    ['no type', '{"id":"c1"}', 'bad_message', 'A message has a "type", which is text.'],
    [
      'a type that is no text',
      '{"type":["ping"],"id":"c1"}',
      'bad_message',
      'A message has a "type"',
    ],
    [
      'a field too much',
      '{"type":"ping","id":"c1","x":1}',
      'bad_message',
      'ping has no field x; its fields are type, id.',
    ],
    [
      'a prototype',
      '{"type":"ping","id":"c1","__proto__":{"x":1}}',
      'bad_message',
      'ping has no field __proto__; its fields are type, id.',
    ],
    [
      'a prototype among the options',
      '{"type":"setRules","id":"c1","room":"k7w2m9qx","preset":"duel","options":{"__proto__":1}}',
      'bad_message',
      'setRules.options has no field __proto__.',
    ],
    [
      'a missing field',
      '{"type":"leave","id":"c1"}',
      'bad_message',
      'leave.room is missing: expected text.',
    ],
    [
      'a seat of no board',
      '{"type":"sit","id":"c1","room":"k7w2m9qx","seat":"up"}',
      'bad_message',
      'sit.seat: expected one of "south"|"east"|"north"|"west".',
    ],
    [
      'a space of no board',
      '{"type":"move","id":"c1","room":"k7w2m9qx","turn":0,"from":"z1","to":"a1"}',
      'bad_message',
      'move.from: a space is a column a..q and a row 1..17, such as "g12".',
    ],
    [
      'a turn beyond all numbers',
      '{"type":"resign","id":"c1","room":"k7w2m9qx","turn":1e999}',
      'bad_message',
      'resign.turn: expected number.',
    ],
    [
      'a turn beyond all integers',
      '{"type":"resign","id":"c1","room":"k7w2m9qx","turn":9007199254740993}',
      'bad_message',
      'resign.turn: expected at most 9007199254740991.',
    ],
    [
      'half a turn',
      '{"type":"resign","id":"c1","room":"k7w2m9qx","turn":0.5}',
      'bad_message',
      'resign.turn: expected whole number.',
    ],
    [
      'a field that is null',
      '{"type":"subscribe","id":"c1","room":"k7w2m9qx","since":null}',
      'bad_message',
      'subscribe.since: expected number, received null.',
    ],
    [
      'an option that is an object',
      '{"type":"createRoom","id":"c1","preset":"duel","private":false,"options":{"maxMoves":{}}}',
      'bad_message',
      'createRoom.options.maxMoves: an option is text',
    ],
  ])('%s is refused with the field and what would be right', (_, raw, code, message) => {
    const decoded = decodeClientMessage(raw)
    expect(decoded).toMatchObject({ ok: false, error: { code, id: 'c1' } })
    if (!decoded.ok)
      expect(decoded.error.message.startsWith(message), decoded.error.message).toBe(true)
  })

  test.each([
    ['missing', '{"type":"ping"}'],
    ['a number', '{"type":"ping","id":1}'],
    ['too long', `{"type":"ping","id":"${'x'.repeat(33)}"}`],
    ['of other characters', '{"type":"ping","id":"a b"}'],
  ])('an id that is %s is not repeated in the refusal', (_, raw) => {
    expect(decodeClientMessage(raw)).toMatchObject({
      ok: false,
      error: { code: 'bad_message', id: null },
    })
  })

  test('a refusal repeats little of what was sent', () => {
    const decoded = decodeClientMessage(`{"type":"ping","id":"c1","${'x'.repeat(8000)}":1}`)
    expect(decoded.ok ? '' : decoded.error.message).toBe(
      `ping has no field ${'x'.repeat(40)}…; its fields are type, id.`,
    )
  })

  test('of a key that stands twice the last counts', () => {
    expect(decodeClientMessage('{"type":"hello","type":"ping","id":"c0","id":"c1"}')).toEqual({
      ok: true,
      value: { type: 'ping', id: 'c1' },
    })
  })
})

describe('decodeServerMessage', () => {
  test('a client passes over fields and events of a later server, and over nothing else', () => {
    const event = {
      ...{ type: 'event', room: 'k7w2m9qx', version: 9, turn: 1, next: 'north', until: null },
      events: [{ type: 'pieceMoved', from: 'b6', to: 'b5' }],
    }
    const news = { type: 'weatherChanged', sky: 'clear' }
    const later = {
      ...event,
      weather: 'clear',
      events: [news, { ...event.events[0], by: 'south' }],
    }
    expect(readServerMessage(JSON.stringify(event))).toEqual({ ok: true, value: event })
    expect(readServerMessage(JSON.stringify(later))).toEqual({ ok: true, value: event })
    expect(decodeServerMessage(JSON.stringify(later))).toMatchObject({ ok: false })
    expect(readServerMessage(JSON.stringify(news))).toEqual({
      ok: true,
      value: { type: 'unknown' },
    })
    const wrong = JSON.stringify({ ...later, version: '9' })
    expect(readServerMessage(wrong)).toEqual(decodeServerMessage(wrong))
  })

  test('a type of a later server is unknown, not an error', () => {
    expect(decodeServerMessage('{"type":"weather","sky":"blue"}')).toEqual({
      ok: true,
      value: { type: 'unknown' },
    })
  })

  test('a known type of another form is an error', () => {
    expect(decodeServerMessage('{"type":"pong","re":"c1"}')).toMatchObject({
      ok: false,
      error: {
        code: 'bad_message',
        message: 'pong.serverTime is missing: expected number.',
      },
    })
  })
})

describe('encodeServerMessage', () => {
  const pong: ServerMessage = { type: 'pong', re: id, serverTime: 5 }
  const leaking: ServerMessage = Object.assign({ ...pong }, { kind: 'fieldMarshal' })

  test('writes what decodeServerMessage reads', () => {
    expect(decodeServerMessage(encodeServerMessage(pong))).toEqual({ ok: true, value: pong })
  })

  test('F-H3: a field that the schema does not know never leaves', () => {
    expect(() => encodeServerMessage(leaking)).toThrow(
      new InvariantError('pong has no field kind; its fields are type, re, serverTime.'),
    )
  })

  test('F-H10: the error names the field, not its value', () => {
    const late: ServerMessage = Object.assign({ ...pong }, { serverTime: 'fieldMarshal' })
    expect(() => encodeServerMessage(late)).toThrow(
      new InvariantError('pong.serverTime: expected number, received text.'),
    )
  })

  test('is not strict when production says so', () => {
    strictEncoding(false)
    expect(encodeServerMessage(leaking)).toContain('fieldMarshal')
  })

  test('a plain move takes at most 150 bytes to a seat', () => {
    const frame = encodeServerMessage({
      type: 'event',
      room,
      version: 999,
      turn: 999,
      next: 'south',
      until: 4_294_967_295,
      events: [{ type: 'pieceMoved', from: 'g12', to: 'k10' }],
    })
    expect(utf8(frame).length).toBeLessThanOrEqual(150)
  })
})

test('encodeClientMessage writes what decodeClientMessage reads', () => {
  const move = { type: 'move', id, room, turn: 3, from: 'g6', to: 'g7' } as const
  expect(decodeClientMessage(encodeClientMessage(move))).toEqual({ ok: true, value: move })
})

test('a message becomes the answer to a command without being made anew', () => {
  const frame = encodeServerMessage({
    type: 'event',
    room: roomId.parse('0123abcd'),
    version: 3,
    turn: 1,
    next: 'east',
    until: 7,
    events: [],
  })
  const re = commandId.parse('a-Z_9')
  expect(decodeServerMessage(asReplyTo(re, frame))).toEqual({
    ok: true,
    value: { ...JSON.parse(frame), re },
  })
})
