import { expect, test } from 'vitest'
import { encodeGbk } from './gbk.ts'

const decode = (bytes: Uint8Array): string => new TextDecoder('gbk').decode(bytes)

test.each([
  ['军旗', [0xbe, 0xfc, 0xc6, 0xec]],
  ['P0', [0x50, 0x30]],
  ['工兵 1', [0xb9, 0xa4, 0xb1, 0xf8, 0x20, 0x31]],
  ['😀é', [0x3f, 0xa8, 0xa6]],
  ['', []],
] as const)('%s in GBK', (text, bytes) => {
  expect([...encodeGbk(text, 19)]).toEqual(bytes)
})

test('no character is cut in half', () => {
  expect(decode(encodeGbk('军旗军旗军旗军旗军旗', 19))).toBe('军旗军旗军旗军旗军')
  expect(decode(encodeGbk('a军旗', 4))).toBe('a军')
})

test('what it writes is what is read', () => {
  const common = '司令军长师长旅长团长营长连长排长工兵炸弹地雷军旗'
  expect(decode(encodeGbk(common, 100))).toBe(common)
})
