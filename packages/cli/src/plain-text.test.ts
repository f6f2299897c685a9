import { expect, test } from 'vitest'
import { plainLine, plainText } from './plain-text.ts'

test.each([
  ['what people write', '小明 moves g6-g7 “well” é 👍', '小明 moves g6-g7 “well” é 👍'],
  ['a command to the terminal', '\x1b[2K', '\\u001b[2K'],
  ['one of the second set', '\x9b2K', '\\u009b2K'],
  ['a return to the start of the line', 'a\rb', 'a\\u000db'],
  ['what turns the direction', '\u202eabc', '\\u202eabc'],
  ['beyond the first plane', '\u{e0041}', '\\udb40\\udc41'],
])('%s', (_, text, shown) => {
  expect(plainText(text)).toBe(shown)
  expect(plainLine(text)).toBe(shown)
})

test('JSON stays the same JSON', () => {
  const value = { name: '\x1b\u202e\u{e0041}\n' }
  expect(JSON.parse(plainText(JSON.stringify(value, null, 2)))).toEqual(value)
})

test('line breaks are kept in a text, and escaped in a line', () => {
  expect(plainText('a\n\tb')).toBe('a\n\tb')
  expect(plainLine('a\n\tb')).toBe('a\\u000a\\u0009b')
})
