import { PRESETS } from '@junqi/engine'
import { playerId, type ViewedEvent } from '@junqi/protocol'
import { expect, test } from 'vitest'
import { type TableNews, tableNews } from './table-news.ts'

const [ME, OTHER] = [playerId.parse('00000000000a'), playerId.parse('00000000000b')]
const vacated = (player: typeof ME, reason: 'stood' | 'left' | 'removed'): ViewedEvent => ({
  type: 'seatVacated',
  seat: 'south',
  player,
  reason,
})
const hostChanged = (player: typeof ME): ViewedEvent => ({ type: 'hostChanged', player })
const CHANGED: ViewedEvent = {
  type: 'rulesChanged',
  rules: { preset: 'duel', options: {}, ruleSet: PRESETS.duel },
}

test.each<[string, readonly ViewedEvent[], typeof ME, readonly TableNews[]]>([
  ['the host takes the seat away', [vacated(ME, 'removed')], OTHER, ['removed']],
  ['one stands up', [vacated(ME, 'stood')], OTHER, []],
  ['another is removed', [vacated(OTHER, 'removed')], OTHER, []],
  ['the host goes', [vacated(OTHER, 'left'), hostChanged(ME)], ME, ['becameHost']],
  ['another becomes host', [hostChanged(OTHER)], OTHER, []],
  ['the rules are others, and nobody is ready', [CHANGED], OTHER, ['rulesChanged']],
  ['one has changed the rules', [CHANGED], ME, []],
])('what one is told when %s', (_, events, host, told) => {
  expect(tableNews(events, { host }, ME)).toEqual(told)
})
