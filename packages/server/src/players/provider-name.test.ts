import { playerId, playerName } from '@junqi/protocol'
import { expect, test } from 'vitest'
import { providerName } from './provider-name.ts'

const id = playerId.parse('2w9h4t7kz0pm')

test.each<[string, Record<string, unknown>, string]>([
  ['the claim `name`', { name: '张三', preferred_username: 'zhang' }, '张三'],
  ['else `preferred_username`', { preferred_username: 'zhang' }, 'zhang'],
  ['and where `name` can be none', { name: '\u200b \u0000', preferred_username: 'zhang' }, 'zhang'],
  ['in normal form C', { name: 'Zoe\u0308' }, 'Zo\u00eb'],
  ['without blanks around it', { name: '  Ann ' }, 'Ann'],
  ['without control and direction characters', { name: 'A\u202en\u0007n' }, 'Ann'],
  [
    'with four marks on a letter at most',
    { name: `A${'\u0301'.repeat(9)}n` },
    `Á${'\u0301'.repeat(4)}n`,
  ],
  ['cut after 24 characters, and never within one', { name: '🀄'.repeat(30) }, '🀄'.repeat(24)],
  ['the same for a very long one', { name: 'a'.repeat(5000) }, 'a'.repeat(24)],
  ['part of the id where there is none', {}, 'player-2w9h'],
  ['or where it is no text', { name: ['Ann'], preferred_username: 7 }, 'player-2w9h'],
])('a player of the provider is called by %s', (_, claims, name) => {
  expect(providerName(claims, id)).toBe(name)
  expect(playerName.parse(name)).toBe(name)
})
