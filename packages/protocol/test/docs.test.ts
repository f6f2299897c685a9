import { readFileSync } from 'node:fs'
import {
  CLOSE_CODES,
  clientMessage,
  decodeClientMessage,
  decodeServerMessage,
  ERRORS,
  serverMessage,
  viewedEvent,
} from '@junqi/protocol'
import { describe, expect, test } from 'vitest'

const read = (path: string): string =>
  readFileSync(new URL(`../../../docs/${path}`, import.meta.url), 'utf8')
const protocolPage = read('protocol.md')
const errorsPage = read('errors.md')

describe('docs/errors.md', () => {
  test.each(Object.keys(ERRORS))('has %s', (code) => {
    expect(errorsPage).toContain(`| \`${code}\` |`)
  })

  test.each(Object.keys(CLOSE_CODES))('has the close code %s', (code) => {
    expect(errorsPage).toContain(`| ${code} |`)
  })
})

describe('docs/protocol.md', () => {
  test.each(
    [clientMessage, serverMessage, viewedEvent].flatMap((union) =>
      union.options.map((option) => option.shape.type.value),
    ),
  )('has a section on %s', (type) => {
    expect(protocolPage).toContain(`\n### \`${type}\`\n`)
  })

  const lines = protocolPage
    .split('\n')
    .filter((line) => /^[<>] \{/.test(line) && !line.includes('…'))

  test('has a conversation of both sides', () => {
    expect(new Set(lines.map((line) => line.charAt(0)))).toEqual(new Set(['<', '>']))
  })

  test.each(lines)('says what can be said: %s', (line) => {
    const decode = line.startsWith('>') ? decodeClientMessage : decodeServerMessage
    expect(decode(line.slice(2))).toMatchObject({ ok: true, value: { type: expect.any(String) } })
  })
})
