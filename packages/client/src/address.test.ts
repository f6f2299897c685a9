import { expect, test } from 'vitest'
import { addressOf } from './address.ts'

test.each([
  ['http://127.0.0.1:8080', 'ws://127.0.0.1:8080/v1/ws', 'http://127.0.0.1:8080/v1/session'],
  ['https://junqi.example/', 'wss://junqi.example/v1/ws', 'https://junqi.example/v1/session'],
  ['wss://junqi.example', 'wss://junqi.example/v1/ws', 'https://junqi.example/v1/session'],
  ['https://a.example/junqi', 'wss://a.example/junqi/v1/ws', 'https://a.example/junqi/v1/session'],
])('%s', (url, socket, session) => {
  const address = addressOf(url)
  expect(address.socket).toBe(socket)
  expect(address.http('v1/session')).toBe(session)
})
