import { PRESETS, type PresetName, type Seat } from '@junqi/engine'
import type { RoomView } from '@junqi/protocol'
import { expect, test } from 'vitest'
import { channelsOf, isOpen, phrasesIn } from './talk-channels.ts'

const viewOf = (phase: RoomView['phase'], preset: PresetName, seat: Seat | null) =>
  ({
    phase,
    rules: { preset, options: {}, ruleSet: PRESETS[preset] },
    you: { seat, draft: null },
    game: null,
  }) as unknown as RoomView

test.each([
  ['lobby', 'siguo', 'south', ['room']],
  ['deployment', 'siguo', 'south', ['table', 'alliance']],
  ['playing', 'siguo', 'south', ['table', 'alliance']],
  ['playing', 'duel', 'south', ['table']],
  ['playing', 'siguo', null, ['spectators']],
  ['finished', 'siguo', null, ['room', 'spectators']],
  ['finished', 'siguo', 'south', ['room', 'table', 'alliance']],
  ['finished', 'duel', 'south', ['room', 'table']],
] as const)('R-CHAT-1: in %s of %s, at %s', (phase, preset, seat, channels) => {
  expect(channelsOf(viewOf(phase, preset, seat))).toEqual(channels)
})

test.each([
  ['left', ['spectators']],
  ['resigned', ['table', 'alliance']],
] as const)('R-CHAT-1: who is out because it %s', (out, channels) => {
  const view = viewOf('playing', 'siguo', 'south')
  const game = { seats: { south: { out } } } as unknown as RoomView['game']
  expect(channelsOf({ ...view, game })).toEqual(channels)
})

test.each([
  ['lobby', 'room', true],
  ['playing', 'table', true],
  ['finished', 'room', true],
  ['finished', 'table', false],
  ['finished', 'alliance', false],
] as const)('R-CHAT-1: in %s, whether something may be said in %s: %s', (phase, channel, may) => {
  expect(isOpen({ phase }, channel)).toBe(may)
})

test('what only allies say is offered to them first, and to nobody else', () => {
  expect(phrasesIn('alliance')[0]).toBe('attackLeft')
  expect(phrasesIn('table')).not.toContain('attackLeft')
  expect(phrasesIn('alliance')).toHaveLength(20)
})
