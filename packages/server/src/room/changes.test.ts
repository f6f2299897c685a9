import { describe, expect, test } from 'vitest'
import { ANN, BO, EVE, playerNumber } from '../../test/support/players.ts'
import { CHANCE, INVITATION, PureRoom } from '../../test/support/pure-room.ts'
import type { PlayerAction } from './room-command.ts'
import { LOBBY_ENTRIES, OTHERS_CHANGES, PLAYER_CHANGES } from './room-limits.ts'

const sit = (seat: 'north' | 'east' | 'west'): PlayerAction => ({
  type: 'sit',
  seat,
  invitation: INVITATION,
})

const submit = (room: PureRoom): PlayerAction => ({
  type: 'submitFormation',
  formation: room.formation(),
  ...CHANCE,
})

describe('R-ROOM-7: before play nobody but its host can wear a room out', () => {
  test.each<[string, PlayerAction[]]>([
    ['changing seats', [sit('north'), sit('east')]],
    ['sitting down and standing up', [sit('north'), { type: 'stand' }]],
    ['sitting down and leaving', [sit('north'), { type: 'leave' }]],
    [
      'being ready and not',
      [sit('west'), { type: 'ready' }, { type: 'notReady' }, { type: 'stand' }],
    ],
  ])('by %s', (_, actions) => {
    const room = new PureRoom({ host: ANN, private: true })
    room.sit([ANN])
    const acted = cycle(room, actions)
    expect(acted).toBeGreaterThanOrEqual(PLAYER_CHANGES)
    // To be ready is no change of one's own.
    expect(acted).toBeLessThan(1.5 * PLAYER_CHANGES)
    expect(room.state.closed).toBe(false)
    // Whoever else comes can play.
    if (room.seatOf(EVE) !== null) {
      room.act(ANN, { type: 'removePlayer', target: EVE.id })
    }
    room.act(BO, sit('north'))
    room.act(BO, { type: 'ready' })
    room.act(ANN, { type: 'ready' })
  })

  test('what ends a stay is never refused, and a game can begin with whoever sits', () => {
    const room = new PureRoom({ host: ANN, preset: 'duel' })
    room.sit([ANN, BO])
    for (let n = 1; n < PLAYER_CHANGES; n++) room.act(BO, { type: 'notReady' })
    room.act(BO, { type: 'ready' })
    expect(room.refusal(BO, { type: 'notReady' })).toBe('too_many_changes')
    room.act(ANN, { type: 'ready' })
    room.act(ANN, { type: 'start', ...CHANCE, layout: [] })
    room.act(BO, submit(room))
    expect(room.refusal(BO, { type: 'notReady' })).toBe('too_many_changes')
    room.act(BO, { type: 'leave' })
    expect(room.state).toMatchObject({ phase: 'lobby', closed: false })
  })

  test('by many strangers together, who close nothing, and hinder nobody who sits', () => {
    const room = new PureRoom({ host: ANN, preset: 'duel' })
    room.sit([ANN])
    for (let n = 0; n < 20; n++) {
      const stranger = playerNumber(n)
      for (let times = 0; times < PLAYER_CHANGES / 2; times++) {
        // Two entries are the host's.
        if (room.state.version === OTHERS_CHANGES + 2) break
        room.act(stranger, sit('north'))
        room.act(stranger, { type: 'stand' })
      }
    }
    expect(room.state.version).toBeLessThan(LOBBY_ENTRIES)
    expect(room.refusal(EVE, sit('north'))).toBe('too_many_changes')
    expect(room.act(ANN, { type: 'setRules', preset: 'duel', options: {} })).not.toEqual([])
    expect(room.state.closed).toBe(false)
  })

  test('by what others make one do: answers, and being ready again after them, are not counted', () => {
    const room = new PureRoom({ host: ANN })
    room.sit([ANN, BO, EVE])
    for (let swap = 1; swap < PLAYER_CHANGES; swap++) {
      const seat = room.seatOf(BO) ?? 'east'
      room.act(EVE, { type: 'requestSwap', seat })
      room.act(BO, { type: 'answerSwap', swap, accept: true })
      room.act(BO, { type: 'ready' })
    }
    expect(room.refusal(EVE, { type: 'requestSwap', seat: 'south' })).toBe('too_many_changes')
    room.act(BO, { type: 'notReady' })
    room.act(BO, { type: 'ready' })
  })

  test('its host may do as much as the room bears', () => {
    const room = new PureRoom({ host: ANN })
    room.sit([ANN])
    for (let n = 0; n <= PLAYER_CHANGES; n++) room.act(ANN, { type: 'notReady' })
  })
})

/** How many entries a stranger makes by doing this again and again until it is refused. */
function cycle(room: PureRoom, actions: readonly PlayerAction[]): number {
  const before = room.state.version
  for (let n = 0; n < 10 * PLAYER_CHANGES; n++) {
    for (const action of actions) {
      try {
        room.act(EVE, action)
      } catch (error) {
        expect(String(error)).toContain('too_many_changes')
        return room.state.version - before
      }
    }
  }
  throw new Error('it is never refused')
}
