import { expect, test } from 'vitest'
import { parseMarks, withMark } from './marks.ts'

test.each([
  [null, {}],
  ['', {}],
  ['[1', {}],
  ['null', {}],
  ['{"north:a12":"bomb","north:b12":"king"}', { 'north:a12': 'bomb' }],
])('%j is read as %j', (text, marks) => {
  expect(parseMarks(text)).toEqual(marks)
})

test('a mark is set, replaced and taken away', () => {
  const marked = withMark({}, 'north:a12', 'bomb')
  expect(withMark(marked, 'north:a12', 'notLandmine')).toEqual({ 'north:a12': 'notLandmine' })
  expect(withMark(marked, 'north:a12', null)).toEqual({})
})
