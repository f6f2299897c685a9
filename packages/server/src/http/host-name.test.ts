import { BlockList } from 'node:net'
import { expect, test } from 'vitest'
import { requestFrom } from '../../test/support/request-from.ts'
import { isMisnamed } from './host-name.ts'

const trustedProxies = new BlockList()
trustedProxies.addAddress('127.0.0.9', 'ipv4')
const origins = new Set(['https://junqi.example'])

test('asked from its own machine by an address that others reach it by, a name must be its own as well', () => {
  const asked = (host: string) => requestFrom('::ffff:192.0.2.2', { host }, '192.0.2.2')
  expect(isMisnamed(asked('evil.example'), { trustedProxies, origins })).toBe(true)
  expect(isMisnamed(asked('192.0.2.2:8080'), { trustedProxies, origins })).toBe(false)
})

test.each([
  ['127.0.0.1', 'localhost:8080', 'well named'],
  ['127.0.0.1', 'a.localhost:8080', 'well named'],
  ['127.0.0.1', '127.0.0.1:8080', 'well named'],
  ['::1', '[::1]:8080', 'well named'],
  ['::1', '[::ffff:127.0.0.1]', 'well named'],
  ['127.0.0.1', 'a-machine:8080', 'well named'],
  ['127.0.0.1', 'junqi.example', 'well named'],
  ['127.0.0.1', 'JUNQI.example.:8080', 'well named'],
  ['127.0.0.1', undefined, 'well named'],
  ['127.0.0.1', 'evil.example:8080', 'misnamed'],
  ['127.0.0.1', 'evil.example.', 'misnamed'],
  ['127.0.0.1', '127.0.0.1.evil.example', 'misnamed'],
  ['127.0.0.1', 'evil.example:8080:1', 'misnamed'],
  ['::ffff:127.0.0.1', 'junqi.example.evil.example', 'misnamed'],
  ['::1', 'notlocalhost.example', 'misnamed'],
  ['127.0.0.9', 'any.example', 'well named'],
  ['192.0.2.7', 'any.example', 'well named'],
])('asked from %s for %s it is %s', (remoteAddress, host, expected) => {
  const request = requestFrom(remoteAddress, host === undefined ? {} : { host })
  const found = isMisnamed(request, { trustedProxies, origins }) ? 'misnamed' : 'well named'
  expect(found).toBe(expected)
})
