import { describe, expect, test } from 'vitest'
import { CHAT_LENGTH, chatText, PHRASES } from './chat.ts'

const read = (text: string) => chatText.safeParse(text)

describe('R-CHAT-7: a text is one line that can be seen', () => {
  test.each([
    ['as it is', '你好, Ming!', '你好, Ming!'],
    ['trimmed', '  hi \u3000', 'hi'],
    ['in normal form C', 'e\u0301', '\u00e9'],
    ['mark-up is plain text', '<b>**x**</b>', '<b>**x**</b>'],
    ['emoji that are joined', '👨‍👩‍👧', '👨‍👩‍👧'],
    ['the longest, in code points', '😀'.repeat(CHAT_LENGTH), '😀'.repeat(CHAT_LENGTH)],
    ['right to left letters', 'שלום', 'שלום'],
    ['marks as languages have them', 'ติ๊ง', 'ติ๊ง'],
  ])('%s', (_, text, expected) => {
    expect(read(text)).toMatchObject({ success: true, data: expected })
  })

  test.each([
    ['nothing', ''],
    ['spaces', ' \u00a0\u3000 '],
    ['one too many', 'x'.repeat(CHAT_LENGTH + 1)],
    ['one too many beyond the first plane', '😀'.repeat(CHAT_LENGTH + 1)],
    ['a great many', 'x'.repeat(5_000)],
    ['a line break', 'a\nb'],
    ['a line separator', 'a\u2028b'],
    ['a tabulator', 'a\tb'],
    ['an escape', 'a\u001b[31mb'],
    ['a null', 'a\u0000b'],
    ['a delete', 'a\u007fb'],
    ['a direction override', 'a\u202eb'],
    ['a direction isolate', 'a\u2066b'],
    ['a direction mark', 'a\u200fb'],
    ['a space without width', 'a\u200bb'],
    ['a byte order mark', 'a\ufeffb'],
    ['a soft hyphen', 'a\u00adb'],
    ['tags', 'a\u{e0041}b'],
    ['half a pair', 'a\ud83d'],
    ['private use', 'a\ue000b'],
    ['no character', 'a\uffffb'],
    ['joiners alone', '\u200d\u200d'],
    ['fillers alone', '\u3164\u2800'],
    ['marks alone', '\u0301'],
    ['a tower of marks', `a${'\u0335'.repeat(5)}`],
    ['a tower of marks with joiners between', `a${'\u0335\u0335\u200d'.repeat(3)}`],
  ])('refused: %s', (_, text) => {
    expect(read(text).success).toBe(false)
  })
})

test('every phrase has words in both languages', () => {
  for (const { en, zh } of Object.values(PHRASES)) {
    expect(read(en).success && read(zh).success).toBe(true)
  }
})
