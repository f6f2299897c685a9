import type { ErrorCode } from '@junqi/protocol'
import { describe, expect, test } from 'vitest'
import { Witness } from './witness.ts'

const ROOM = 'k7w2m9qx'
const HELLO = { type: 'hello', id: 'h', client: 'test/1' }
const move = (id: string, turn: number, to = 'b5') => ({
  ...{ type: 'move', id, room: ROOM, turn },
  ...{ from: 'b6', to },
})
const refusal = (re: string | null, code: ErrorCode, retryable = false) => ({
  ...{ type: 'error', re, code, message: 'No.', retryable, retryAfterMs: null },
  ...{ room: ROOM, version: null, turn: null },
})

type Step =
  | { readonly says: unknown }
  | { readonly isTold: ReturnType<typeof refusal> | { readonly type: string; readonly re: string } }
  | 'connects'

/** What is blamed, in order. */
function blames(steps: readonly Step[], allowed: readonly ErrorCode[] = []): readonly string[] {
  const witness = new Witness(allowed)
  return steps.flatMap((step) => {
    if (step === 'connects') {
      witness.connected()
      return []
    }
    if ('isTold' in step) return witness.told(step.isTold) ?? []
    const frame = typeof step.says === 'string' ? step.says : JSON.stringify(step.says)
    return witness.hear(frame, false).blame ?? []
  })
}

describe('a client is not blamed', () => {
  test.each<readonly [string, readonly Step[], readonly ErrorCode[]]>([
    [
      'for what it is to do',
      ['connects', { says: HELLO }, { says: move('a', 0) }, { says: move('b', 2) }],
      [],
    ],
    [
      'for greeting each connection with the same id',
      ['connects', { says: HELLO }, 'connects', { says: HELLO }],
      [],
    ],
    [
      'for sending again what was not answered',
      [
        { says: HELLO },
        { says: move('a', 0) },
        'connects',
        { says: HELLO },
        { says: move('a', 0) },
      ],
      [],
    ],
    [
      'for sending again what was refused as retryable, in whatever order of fields',
      [
        { says: HELLO },
        { says: move('a', 0) },
        { isTold: refusal('a', 'unavailable', true) },
        { says: Object.fromEntries(Object.entries(move('a', 0)).reverse()) },
      ],
      [],
    ],
    [
      'for a refusal that it could not help',
      [{ says: HELLO }, { says: move('a', 0) }, { isTold: refusal('a', 'stale_turn') }],
      ['stale_turn'],
    ],
  ])('%s', (_, steps, allowed) => {
    expect(blames(steps, allowed)).toEqual([])
  })
})

describe('a client is blamed', () => {
  test.each<readonly [string, readonly Step[], RegExp]>([
    ['for frames that are no JSON', [{ says: '{' }], /no message: \{ \(A frame is one JSON object/],
    [
      'for a field that there is not',
      [{ says: { ...HELLO, colour: 'red' } }],
      /hello has no field colour/,
    ],
    [
      'for saying something before hello, on any connection',
      ['connects', { says: HELLO }, 'connects', { says: move('a', 0) }],
      /first message on a connection was move/,
    ],
    [
      'for one id for two things',
      [{ says: HELLO }, { says: move('a', 0) }, { says: { type: 'ready', id: 'a', room: ROOM } }],
      /the id a for two things/,
    ],
    [
      'for two moves of one turn',
      [{ says: HELLO }, { says: move('a', 4) }, { says: move('b', 4, 'c6') }],
      /two moves for turn 4, under the ids a and b/,
    ],
    [
      'for sending again what was answered',
      [
        { says: HELLO },
        { says: move('a', 0) },
        { isTold: { type: 'ack', re: 'a' } },
        { says: move('a', 0) },
      ],
      /sent again what had been answered/,
    ],
    [
      'for a refusal',
      [{ says: HELLO }, { says: move('a', 0) }, { isTold: refusal('a', 'illegal_move') }],
      /refused with illegal_move \(No\.\) for .*"turn":0/,
    ],
    [
      'for a refusal without an id',
      [{ isTold: refusal(null, 'bad_json') }],
      /a frame without an id/,
    ],
  ])('%s', (_, steps, sentence) => {
    expect(blames(steps)).toEqual([expect.stringMatching(sentence)])
  })

  test('for a binary frame', () => {
    expect(new Witness([]).hear('{}', true).blame).toMatch(/binary/)
  })
})
