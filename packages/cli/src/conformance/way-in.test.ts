import { describe, expect, test } from 'vitest'
import { goesElsewhere, type Traces, undoneOf } from './way-in.ts'

const ERRAND = { server: 'http://127.0.0.1:40123', room: 'k7w2m9qx', seat: 'south' }
const GUEST = { what: 'POST /v1/guests', status: 201 }

type Type = Traces['said'] extends ReadonlySet<infer Each> ? Each : never
const connected = (...said: readonly Type[]): Traces => ({
  ...{ asked: [GUEST], connections: 1, said: new Set(said) },
})

describe('of what comes before the first move it is said what a client left undone first', () => {
  test.each<readonly [string, Traces, RegExp]>([
    [
      'it did nothing',
      { asked: [], connections: 0, said: new Set() },
      /made no guest: no request came to \$JUNQI_SERVER \(http:\/\/127\.0\.0\.1:40123\), which \{server\}/,
    ],
    [
      'it made a guest',
      { asked: [GUEST], connections: 0, said: new Set() },
      /opened no WebSocket at \$JUNQI_SERVER\/v1\/ws; .* POST \/v1\/guests, answered with 201\./,
    ],
    [
      'it was refused',
      { asked: [GUEST, { what: 'GET /v1/ws', status: 401 }], connections: 0, said: new Set() },
      /opened no WebSocket .* GET \/v1\/ws, answered with 401\./,
    ],
    ['it connected', connected(), /connected to \$JUNQI_SERVER, but did not say hello/],
    [
      'it connected with a token that it had already',
      { ...connected(), asked: [] },
      /but did not say hello/,
    ],
    [
      'it said hello',
      connected('hello', 'subscribe'),
      /did not sit down: its seat is \$JUNQI_ROOM \(k7w2m9qx\) at \$JUNQI_SEAT \(south\)\./,
    ],
    ['it sat down', connected('hello', 'subscribe', 'sit'), /but did not say ready/],
    ['it said ready', connected('hello', 'sit', 'ready'), /did not subscribe to \$JUNQI_ROOM/],
    [
      'it subscribed',
      connected('hello', 'sit', 'ready', 'subscribe'),
      /handed in no formation when deploymentStarted came/,
    ],
  ])('%s', (_, traces, sentence) => {
    expect(undoneOf(traces, ERRAND)).toMatch(sentence)
  })

  test('nothing, once the formation is there', () => {
    const traces = connected('hello', 'sit', 'subscribe', 'ready', 'submitFormation')
    expect(undoneOf(traces, ERRAND)).toBeNull()
  })
})

test.each(['createRoom', 'quickPlay', 'addBot', 'POST /v1/rooms'])(
  'a client that has a game of its own is told where to sit down: %s',
  (by) => {
    expect(goesElsewhere(by, ERRAND)).toBe(
      `It asked for a game of its own (${by}): it has to sit down in $JUNQI_ROOM (k7w2m9qx) at $JUNQI_SEAT (south), where its opponent waits.`,
    )
  },
)

test.each(['sit', 'ready', 'GET /v1/rooms'])('a client may ask for what it needs: %s', (by) => {
  expect(goesElsewhere(by, ERRAND)).toBeNull()
})
