import { expect, test } from 'vitest'
import { helpEn } from '../help/en.ts'
import { helpZh } from '../help/zh.ts'
import { en } from './en.ts'
import { zh } from './zh.ts'

/** Every text of a catalogue by its path; of a function what it makes of plain arguments. */
function texts(catalogue: object, path = ''): [string, string][] {
  return Object.entries(catalogue).flatMap(([key, value]): [string, string][] => {
    const at = `${path}/${key}`
    if (typeof value === 'string') return [[at, value]]
    if (typeof value === 'function') return [[at, String(value('x', 'y', 'z'))]]
    return texts(value, at)
  })
}

const isChinese = (text: string): boolean => /\p{Script=Han}/u.test(text)
/** What is written in the other language on purpose, or in none. */
const OTHERS = new Set([
  '/otherLanguage',
  '/switchLanguage',
  '/play/lines/move',
  '/play/space',
  '/play/piece',
])

test.each([
  ['the catalogue', zh, en],
  ['how to play', helpZh, helpEn],
] as const)(
  'every key of %s is filled in both languages, and in the right one',
  (_, one, other) => {
    const [chinese, english] = [texts(one), texts(other)]
    expect(english.map(([path]) => path).sort()).toEqual(chinese.map(([path]) => path).sort())
    for (const [path, text] of english) {
      expect(text.trim(), path).not.toBe('')
      if (!OTHERS.has(path)) expect(isChinese(text), `${path}: ${text}`).toBe(false)
    }
    for (const [path, text] of chinese) {
      if (!OTHERS.has(path)) expect(isChinese(text), `${path}: ${text}`).toBe(true)
    }
  },
)

test('short forms on pieces are told apart', () => {
  for (const { faces } of [zh, en]) {
    expect(new Set(Object.values(faces)).size).toBe(12)
  }
})
