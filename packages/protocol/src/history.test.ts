import { InvariantError, type PublicEvent } from '@junqi/engine'
import { expect, test } from 'vitest'
import { decodeServerMessage } from './codec.ts'
import {
  decodePublicEvents,
  encodePublicEvents,
  encodeSnapshot,
  joinEncodedEvents,
} from './history.ts'
import { roomId } from './ids.ts'
import type { ServerMessage } from './server-message.ts'

const events: readonly PublicEvent[] = [
  { type: 'pieceMoved', from: 'g6', to: 'g7' },
  { type: 'turnSkipped', seat: 'east' },
]

const empty = { south: null, east: null, north: null, west: null }
const snapshot = (
  history: readonly PublicEvent[],
): Extract<ServerMessage, { type: 'snapshot' }> => ({
  type: 'snapshot',
  re: null,
  room: roomId.parse('0123abcd'),
  version: 7,
  view: {
    phase: 'lobby',
    rules: {
      preset: 'duel',
      options: {},
      ruleSet: {
        board: 'duel',
        seats: ['south', 'north'],
        alliances: [['south'], ['north']],
        visibility: 'allDark',
        turnOrder: 'counterclockwise',
        firstSeat: 'random',
        emptyTerritory: 'open',
        turnSeconds: 60,
        bankSeconds: 0,
        deploymentSeconds: 180,
        timeoutForfeit: 3,
        quietMoveLimit: 70,
        maxMoves: null,
        resignFromMove: 20,
        landmine: 'stands',
        fieldMarshalRepelled: false,
        bombFrontRow: false,
        flyingBomb: false,
        flagCapture: 'any',
        railTurn: 'curve',
        leaveHeadquarters: false,
        engineerScout: false,
        fieldMarshalDeathRevealsFlag: true,
        eliminatedView: 'public',
        leaving: 'endsGame',
        scoring: 'qq',
        scoreFloor: 50,
      },
    },
    invitation: null,
    spectators: { mode: 'public' },
    host: null,
    seats: empty,
    swaps: [],
    you: { seat: null, draft: null },
    game: null,
    seal: null,
    history,
    legalMoves: {},
    until: null,
    rematch: null,
    closed: false,
  },
})

test('a history kept as text reads back as the events it was made of', () => {
  const parts = [
    encodePublicEvents([]),
    encodePublicEvents(events),
    encodePublicEvents([]),
    encodePublicEvents(events),
  ]
  expect(decodePublicEvents(joinEncodedEvents(parts))).toEqual([...events, ...events])
  expect(decodePublicEvents(encodePublicEvents([]))).toEqual([])
})

test.each([[[]], [events]])('a snapshot holds the history that was encoded apart', (history) => {
  const frame = encodeSnapshot(snapshot([]), encodePublicEvents(history))
  expect(decodeServerMessage(frame)).toEqual({ ok: true, value: snapshot(history) })
})

test('a snapshot with a history of its own is not encoded with another', () => {
  expect(() => encodeSnapshot(snapshot(events), encodePublicEvents(events))).toThrow(InvariantError)
})
