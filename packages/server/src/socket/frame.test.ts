import type { EncodedMessage } from '@junqi/protocol'
import { describe, expect, test } from 'vitest'
import { frameOf } from './frame.ts'

const message = (letter: string, count: number): EncodedMessage =>
  letter.repeat(count) as EncodedMessage

describe('a frame', () => {
  test.each([
    [0, '8100'],
    [1, '8101'],
    [125, '817d'],
    [126, '817e007e'],
    [65_535, '817effff'],
    [65_536, '817f0000000000010000'],
    [200_000, '817f0000000000030d40'],
  ])('of %i bytes begins with %s (RFC 6455, 5.2), and its text follows', (bytes, head) => {
    const frame = frameOf(message('x', bytes))
    const start = head.length / 2
    expect(frame.toString('hex', 0, start)).toBe(head)
    expect(frame.toString('utf8', start)).toBe(message('x', bytes))
  })

  test('counts bytes, not letters', () => {
    const frame = frameOf(message('军', 42))
    expect(frame.toString('hex', 0, 4)).toBe('817e007e')
    expect(frame.toString('utf8', 4)).toBe(message('军', 42))
  })

  test('is made once for everyone, and anew for the next message', () => {
    const [one, other] = [message('a', 3), message('b', 3)]
    expect(frameOf(one)).toBe(frameOf(one))
    expect(frameOf(other).toString('utf8', 2)).toBe(other)
    expect(frameOf(one).toString('utf8', 2)).toBe(one)
  })
})
