import { BlockList } from 'node:net'
import { expect, test } from 'vitest'
import { requestFrom } from '../../test/support/request-from.ts'
import { peerOf } from './peer.ts'

const proxies = new BlockList()
proxies.addSubnet('10.0.0.0', 8, 'ipv4')
proxies.addAddress('::1', 'ipv6')

test.each([
  ['no proxy', '192.0.2.7', {}, '192.0.2.7', false],
  ['IPv4 in a socket for both', '::ffff:192.0.2.7', {}, '192.0.2.7', false],
  ['IPv6 counts by its /64', '2001:db8:0:1:2:3:4:5', {}, '2001:db8:0:1', false],
  ['IPv6 in its short form', '2001:db8::5', {}, '2001:db8:0:0', false],
  ['IPv4 in IPv6 is IPv4', '::ffff:c000:207', {}, '192.0.2.7', false],
  ['an IPv6 address that ends as IPv4', '64:ff9b::192.0.2.7', {}, '64:ff9b:0:0', false],
  [
    'a proxy that writes the port, too',
    '10.0.0.1',
    { 'x-forwarded-for': '198.51.100.1:4711' },
    '198.51.100.1',
    false,
  ],
  [
    'and of IPv6',
    '10.0.0.1',
    { 'x-forwarded-for': '[2001:db8:0:1:2:3:4:5]:4711' },
    '2001:db8:0:1',
    false,
  ],
  [
    'a stranger cannot name another address',
    '192.0.2.7',
    { 'x-forwarded-for': '198.51.100.1', 'x-forwarded-proto': 'https' },
    '192.0.2.7',
    false,
  ],
  [
    'a trusted proxy can',
    '10.0.0.1',
    { 'x-forwarded-for': '198.51.100.1', 'x-forwarded-proto': 'https' },
    '198.51.100.1',
    true,
  ],
  [
    'through two trusted proxies',
    '::1',
    { 'x-forwarded-for': '198.51.100.1, 10.0.0.9' },
    '198.51.100.1',
    false,
  ],
  [
    'what the client put in front is not believed',
    '10.0.0.1',
    { 'x-forwarded-for': '203.0.113.5, 198.51.100.1' },
    '198.51.100.1',
    false,
  ],
  [
    'nonsense from a proxy falls back to the proxy',
    '10.0.0.1',
    { 'x-forwarded-for': 'unknown' },
    '10.0.0.1',
    false,
  ],
])('F-U1: the address of a client: %s', (_, remote, headers, address, secure) => {
  expect(peerOf(requestFrom(remote, headers), proxies)).toEqual({ address, secure })
})
