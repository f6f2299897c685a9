import type { Refusal } from '@junqi/client'
import { ERRORS } from '@junqi/protocol'
import { expect, test } from 'vitest'
import { en } from './en.ts'
import { refusalIn } from './refusal-words.ts'
import { zh } from './zh.ts'

const CODES = [...Object.keys(ERRORS), 'closed'] as Refusal['code'][]
const refused = (code: Refusal['code'], message: string): Refusal => ({
  code,
  message,
  version: null,
  turn: null,
})

test.each(CODES)('%s is told in words of the page, none of the server', (code) => {
  for (const words of [zh, en]) {
    const told = refusalIn(words, refused(code, 'submitFormation belongs to the phase deployment.'))
    expect(told).toBe(words.errors[code])
  }
})

test.each<[Refusal['code'], string, string, string]>([
  [
    'bad_message',
    'body.name: a name has at least one character',
    zh.refused.fields.name,
    en.refused.fields.name,
  ],
  [
    'bad_message',
    'say.text: no control characters',
    zh.refused.fields.text,
    en.refused.fields.text,
  ],
  ['bad_message', 'say.channel: unknown', zh.errors.bad_message, en.errors.bad_message],
  ['bad_message', 'say.toString: odd', zh.errors.bad_message, en.errors.bad_message],
  [
    'bad_rules',
    'turnSeconds must be an integer from 5 to 600.',
    '这样的规则不能下。 请改一改：每步秒数。',
    `${en.errors.bad_rules} Look at: ${en.rules.fields.turnSeconds.name}.`,
  ],
  [
    'banned',
    'You are shut out of this server for 3 more days. Why: 刷屏. Why: not',
    '你已被本站禁止登录。 还有 3 天。 原因：刷屏. Why: not',
    'You are shut out of this server. For 3 more days. Why: 刷屏. Why: not',
  ],
  [
    'banned',
    'You are shut out of this server for 1 more hour.',
    '你已被本站禁止登录。 还有 1 小时。',
    'You are shut out of this server. For 1 more hour.',
  ],
])('%s: what a player wrote, and figures: %s', (code, message, chinese, english) => {
  expect(refusalIn(zh, refused(code, message))).toBe(chinese)
  expect(refusalIn(en, refused(code, message))).toBe(english)
})
