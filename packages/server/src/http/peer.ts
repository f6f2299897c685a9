import type { IncomingMessage } from 'node:http'
import { type BlockList, isIP, type Socket } from 'node:net'

/** Who is at the other end of a request, behind the proxies that are trusted. */
export interface Peer {
  /** What limits count by: an IPv4 address, or the /64 of an IPv6 address. */
  readonly address: string
  /** It came over TLS, to the server or to a trusted proxy. */
  readonly secure: boolean
}

/** Who is at the other end of a socket; null: a trusted proxy. */
export function directAddress(socket: Socket, proxies: BlockList): string | null {
  const direct = directOf(socket)
  return isTrusted(direct, proxies) ? null : limitKey(direct)
}

/** Whether a program on the server's own machine is at the other end of a socket, and no trusted proxy. */
export function isFromThisMachine(socket: Socket, proxies: BlockList): boolean {
  const direct = directOf(socket)
  const isHere =
    direct === '::1' ||
    direct.startsWith('127.') ||
    direct === plainAddress(socket.localAddress ?? '')
  return isHere && !isTrusted(direct, proxies)
}

/** Of the addresses that a request passed, the nearest one that no trusted proxy has. */
export function peerOf(request: IncomingMessage, proxies: BlockList): Peer {
  const direct = directOf(request.socket)
  if (!isTrusted(direct, proxies)) return { address: limitKey(direct), secure: false }
  const forwarded = lines(request.headers['x-forwarded-for']).map(forwardedAddress).reverse()
  let address = direct
  for (const next of forwarded) {
    if (isIP(next) === 0) break
    address = next
    if (!isTrusted(next, proxies)) break
  }
  const protocol = lines(request.headers['x-forwarded-proto']).at(-1)
  return { address: limitKey(address), secure: protocol === 'https' }
}

/** The address that a socket comes from, whoever has it. */
const directOf = (socket: Socket): string => plainAddress(socket.remoteAddress ?? '')

function lines(header: string | string[] | undefined): readonly string[] {
  return String(header ?? '')
    .split(',')
    .map((item) => item.trim())
}

/** Some proxies write the port as well: `192.0.2.7:1234`, `[2001:db8::5]:1234`. */
const forwardedAddress = (text: string): string =>
  plainAddress(text.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1').replace(/^\[(.+)\](?::\d+)?$/, '$1'))

/** IPv4 as such also where a socket for both kinds writes it as `::ffff:1.2.3.4`. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
}

function isTrusted(address: string, proxies: BlockList): boolean {
  const version = isIP(address)
  return version !== 0 && proxies.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

/** A household has a whole /64 of IPv6 addresses, so they count as one. IPv4 written as IPv6 is IPv4. */
function limitKey(address: string): string {
  if (isIP(address) !== 6) return address
  const groups = groupsOf(address)
  const [, , , , , marker, high = 0, low = 0] = groups
  const isMapped = marker === 0xffff && groups.slice(0, 5).every((group) => group === 0)
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  return groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')
}

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): readonly number[] {
  const [start = [], end] = address
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':').flatMap(numbersIn)))
  const missing = end === undefined ? 0 : 8 - start.length - end.length
  return [...start, ...Array<number>(missing).fill(0), ...(end ?? [])]
}

/** The last 32 bits may be written as an IPv4 address. */
function numbersIn(group: string): readonly number[] {
  if (!group.includes('.')) return [Number.parseInt(group, 16)]
  const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
  return [a * 256 + b, c * 256 + d]
}
