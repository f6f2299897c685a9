import { readdirSync, readFileSync } from 'node:fs'
import { decodeClientMessage } from '@junqi/protocol'
import { expect, test } from 'vitest'

const examples = new URL('../examples/client/', import.meta.url)
const messages = readdirSync(examples).map((file) =>
  JSON.parse(readFileSync(new URL(file, examples), 'utf8')),
)

/** What only the server knows, or decides. */
const FACTS = {
  kind: 'fieldMarshal',
  rank: 9,
  piece: 'south:g6',
  pieces: [],
  board: {},
  by: 'south',
  outcome: 'attackerWins',
  winners: ['south'],
  first: 'south',
}

test.each(Object.entries(FACTS))('F-H11: no message may state %s', (field, value) => {
  for (const message of messages) {
    const stated = decodeClientMessage(JSON.stringify({ ...message, [field]: value }))
    expect(stated, message.type).toMatchObject({ ok: false, error: { code: 'bad_message' } })
  }
})

test.each(['at', 'receivedAt', 'sentAt', 'elapsedMs', 'bankMs', 'timeout'])(
  'F-T3: no message may state a time by %s',
  (field) => {
    for (const message of messages) {
      const stated = decodeClientMessage(JSON.stringify({ ...message, [field]: 1 }))
      expect(stated, message.type).toMatchObject({ ok: false, error: { code: 'bad_message' } })
    }
  },
)

test.each(['timeout', 'claimTimeout', 'expire', 'skipTurn'])(
  'F-T3: no message says that time is up: %s is unknown',
  (type) => {
    const claim = { type, id: 'c1', room: '0123abcd', seat: 'east', turn: 3 }
    const decoded = decodeClientMessage(JSON.stringify(claim))
    expect(decoded).toMatchObject({ ok: false, error: { code: 'unknown_type' } })
  },
)
