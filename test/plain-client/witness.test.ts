import { describe, expect, test } from 'vitest'
import type { JsonObject } from './json.ts'
import { type Formations, SEATS, type Viewer } from './record.ts'
import { Witness } from './witness.ts'

const FORMATIONS: Formations = {
  south: '594583727316422L6LLB1B3F1',
  east: '4563571B73829162LBLL243F1',
  north: '3412683215B4B36717LL92LF5',
  west: '711362B55387162934LLBL4F2',
}
const NOBODY = { south: null, east: null, north: null, west: null }

const event = (...events: readonly JsonObject[]): JsonObject => ({ type: 'event', events })
const started = (...pieces: readonly JsonObject[]): JsonObject =>
  event({ type: 'gameStarted', first: 'south', formations: NOBODY, pieces })

/** The witness of a game that has started and in which this has happened. */
function witnessAfter(viewer: Viewer, ...events: readonly JsonObject[]): Witness {
  const witness = new Witness(viewer, FORMATIONS)
  expect(witness.leaks(started())).toEqual([])
  for (const each of events) expect(witness.leaks(event(each))).toEqual([])
  return witness
}

const piece = (id: string, kind: string, space = id.split(':')[1] ?? ''): JsonObject => ({
  id,
  space,
  kind,
})
const viewOf = (...pieces: readonly JsonObject[]): JsonObject => ({ view: { game: { pieces } } })
const flagOfEast = { type: 'flagRevealed', seat: 'east', space: 'q10' }
const southOut = { type: 'seatEliminated', seat: 'south', reason: 'resigned' }

describe('what is no leak', () => {
  test.each<[string, Viewer, readonly JsonObject[], JsonObject]>([
    ['an own piece', 'south', [], started(piece('south:g6', 'colonel'))],
    [
      'an own piece that moved',
      'south',
      [{ type: 'pieceMoved', from: 'g6', to: 'g7' }],
      { view: { game: { pieces: [piece('south:g6', 'colonel', 'g7')] } } },
    ],
    ['another piece, hidden', 'south', [], started(piece('north:k12', 'hidden'))],
    [
      'a revealed flag',
      'spectator',
      [flagOfEast],
      { view: { game: { pieces: [piece('east:q10', 'flag')] } } },
    ],
    [
      'an ally of who is out',
      'south',
      [southOut],
      event({ type: 'piecesShown', pieces: [{ space: 'k12', kind: 'captain' }] }),
    ],
    ['the own draft', 'south', [], { view: { you: { draft: FORMATIONS.south } } }],
    [
      'a commitment, also one that could be a formation',
      'spectator',
      [],
      event({ type: 'gameSealed', commitments: { south: '1'.repeat(64), first: 'e'.repeat(64) } }),
    ],
    [
      'everything at the end',
      'spectator',
      [],
      event({ type: 'gameEnded', formations: { ...FORMATIONS } }),
    ],
  ])('%s', (_, viewer, before, frame) => {
    expect(witnessAfter(viewer, ...before).leaks(frame)).toEqual([])
  })
})

describe('what is a leak', () => {
  test.each<[string, JsonObject, string]>([
    ['an ally', started(piece('north:k12', 'captain')), 'the kind on k12 is captain'],
    ['an opponent', started(piece('east:l7', 'major')), 'the kind on l7 is major'],
    ['a kind that is wrong', started(piece('south:g6', 'bomb')), 'the kind on g6 is bomb'],
    [
      'an own piece that is hidden',
      started(piece('south:g6', 'hidden')),
      'the kind on g6 is hidden',
    ],
    ['a telling id', started(piece('east:7', 'hidden', 'l7')), 'the id on l7 is east:7'],
    [
      'a field beside the kind',
      started({ ...piece('east:l7', 'hidden'), rank: 4 }),
      'there is no field rank (on l7)',
    ],
    [
      'a number',
      event({ type: 'pieceAttacked', from: 'g6', to: 'g7', outcome: 'attackerWins', strength: 5 }),
      'there is no field strength',
    ],
    [
      'the salts of the seal',
      { view: { seal: { commitments: {}, salts: { south: '0'.repeat(64) } } } },
      'the salts of the seal',
    ],
    [
      'a formation in the place of its commitment',
      event({ type: 'gameSealed', commitments: { east: FORMATIONS.east } }),
      `the commitment to east is ${FORMATIONS.east}`,
    ],
    [
      'a commitment to something else',
      event({ type: 'gameSealed', commitments: { flag: '0'.repeat(64) } }),
      `the commitment to flag is ${'0'.repeat(64)}`,
    ],
    ['a symbol', { type: 'error', message: '9' }, 'message is the symbol of a piece: 9'],
    [
      'a kind in a text',
      { type: 'error', message: 'a landmine stands there' },
      'message holds a kind: a landmine stands there',
    ],
    [
      'a formation in a text',
      { type: 'error', message: `is ${FORMATIONS.east}` },
      `message holds a formation: is ${FORMATIONS.east}`,
    ],
    [
      'the formation of another',
      { view: { game: { formations: { ...NOBODY, north: FORMATIONS.north } } } },
      `the formation of north is ${FORMATIONS.north}`,
    ],
    [
      'the draft of another',
      { type: 'draft', formation: FORMATIONS.west },
      `formation holds a formation: ${FORMATIONS.west}`,
    ],
    [
      'a move of another',
      { view: { legalMoves: { l7: ['k7'] } } },
      'a legal move of the piece on l7',
    ],
    [
      'a legal move that tells more',
      { view: { legalMoves: { g6: ['g7', 'captain'] } } },
      'a legal move to "captain"',
    ],
    [
      'a list beside the rest',
      { view: { game: { graveyard: [] } } },
      'there is no field graveyard',
    ],
    [
      'a kind under another name',
      event({ type: 'pieceMoved', from: 'g6', to: 'g7', reason: 'colonel' }),
      'reason holds a kind: colonel',
    ],
  ])('%s', (_, frame, leak) => {
    expect(witnessAfter('south').leaks(frame)).toContain(leak)
  })

  test.each(SEATS)('the pieces of its ally, to %s that has left', (seat) => {
    const out = { type: 'seatEliminated', seat, reason: 'resigned' }
    const left = { type: 'seatEliminated', seat, reason: 'left' }
    const ally = {
      south: piece('north:k12', 'captain'),
      east: piece('west:f11', 'majorGeneral'),
      north: piece('south:g6', 'colonel'),
      west: piece('east:l7', 'major'),
    }[seat]
    expect(witnessAfter(seat, out).leaks(viewOf(ally))).toEqual([])
    expect(witnessAfter(seat, left).leaks(viewOf(ally))).toHaveLength(1)
  })
})

test('a view that leaves a piece out is noticed', () => {
  const witness = witnessAfter('south')
  expect(witness.missing({ pieces: [] })).toHaveLength(100)
})
