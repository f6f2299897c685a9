import { PRESETS, type RuleOptions } from '@junqi/engine'
import { type Player, playerId, type RoomView } from '@junqi/protocol'
import { expect, test } from 'vitest'
import { type WhyFriendly, whyFriendly } from './why-friendly.ts'

type Seats = Partial<RoomView['seats']>

const id = playerId.parse('00000000000a')
const seatsWith = (player: Player): Seats => ({
  south: { player, ready: true, goneSince: null, bankMs: 0 },
  north: null,
})
const PERSON = seatsWith({ id, name: 'N' })
const BOT = seatsWith({ id, name: 'N', bot: 'easy' })

test.each<[string, RuleOptions, Seats, WhyFriendly | null]>([
  ['the preset’s own rules', {}, PERSON, null],
  ['nobody there yet', {}, {}, null],
  ['another clock', { turnSeconds: 10 }, PERSON, null],
  ['a changed rule', { flyingBomb: true }, PERSON, 'rules'],
  ['another floor', { scoreFloor: 7 }, PERSON, 'rules'],
  ['a bot', {}, BOT, 'bot'],
  ['a bot, and scores not wished for', { scoring: 'none' }, BOT, 'bot'],
  ['a bot and a changed rule', { flyingBomb: true }, BOT, 'rules'],
  ['scores not wished for', { scoring: 'none' }, PERSON, 'none'],
])('R-SCORE-5, R-SCORE-7: with %s', (_, options, seats, why) => {
  const ruleSet = { ...PRESETS.duel, ...options }
  expect(whyFriendly({ rules: { preset: 'duel', ruleSet }, seats })).toBe(why)
})
