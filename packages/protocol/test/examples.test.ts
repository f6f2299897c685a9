import { readdirSync, readFileSync } from 'node:fs'
import {
  clientMessage,
  decodeClientMessage,
  decodeServerMessage,
  encodeClientMessage,
  encodeServerMessage,
  serverMessage,
  viewedEvent,
} from '@junqi/protocol'
import { describe, expect, test } from 'vitest'

const read = (folder: string): readonly (readonly [string, string])[] => {
  const url = new URL(`../examples/${folder}/`, import.meta.url)
  return readdirSync(url).map((file) => [file, readFileSync(new URL(file, url), 'utf8')])
}

const namesOf = (folder: string): readonly string[] => read(folder).map(([file]) => file)

describe('examples', () => {
  test.each(read('client'))('client/%s is a message, and survives a round trip', (_, text) => {
    const decoded = decodeClientMessage(text)
    expect(decoded).toEqual({ ok: true, value: JSON.parse(text) })
    if (decoded.ok) expect(decodeClientMessage(encodeClientMessage(decoded.value))).toEqual(decoded)
  })

  test.each(read('server'))('server/%s is a message, and survives a round trip', (_, text) => {
    const decoded = decodeServerMessage(text)
    expect(decoded).toEqual({ ok: true, value: JSON.parse(text) })
    if (decoded.ok && decoded.value.type !== 'unknown') {
      expect(decodeServerMessage(encodeServerMessage(decoded.value))).toEqual(decoded)
    }
  })

  test.each(read('events'))('events/%s is an item of an event', (_, text) => {
    expect(viewedEvent.parse(JSON.parse(text))).toEqual(JSON.parse(text))
  })

  test.each(read('invalid'))('invalid/%s is refused as it says', (_, text) => {
    const { code, message, frame } = JSON.parse(text)
    const raw = typeof frame === 'string' ? frame : JSON.stringify(frame)
    expect(decodeClientMessage(raw)).toMatchObject({ ok: false, error: { code, message } })
  })

  test.each([
    ['client', clientMessage],
    ['server', serverMessage],
    ['events', viewedEvent],
  ] as const)('every type of %s has an example that bears its name', (folder, union) => {
    const types = union.options.map((option) => `${option.shape.type.value}.json`)
    expect(namesOf(folder)).toEqual(expect.arrayContaining(types))
  })
})
