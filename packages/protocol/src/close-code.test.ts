import { describe, expect, test } from 'vitest'
import { formatRetryHint, parseRetryHint } from './close-code.ts'

describe('the hint of a restart', () => {
  test('is read as it was written', () => {
    expect(parseRetryHint(formatRetryHint(350))).toBe(350)
  })

  test.each([
    '',
    'soon',
    '{}',
    '{"retryAfterMs":-1}',
    '{"retryAfterMs":1e9}',
    '{"retryAfterMs":99999999}',
  ])('is none in %j', (reason) => expect(parseRetryHint(reason)).toBeNull())
})
