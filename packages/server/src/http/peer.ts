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
  const direct = plainAddress(socket.remoteAddress ?? '')
  return isTrusted(direct, proxies) ? null : limitKey(direct)
}

/** Of the addresses that a request passed, the nearest one that no trusted proxy has. */
export function peerOf(request: IncomingMessage, proxies: BlockList): Peer {
  const direct = plainAddress(request.socket.remoteAddress ?? '')
  if (!isTrusted(direct, proxies)) return { address: limitKey(direct), secure: false }
  const forwarded = lines(request.headers['x-forwarded-for']).map(plainAddress).reverse()
  let address = direct
  for (const next of forwarded) {
    if (isIP(next) === 0) break
    address = next
    if (!isTrusted(next, proxies)) break
  }
  const protocol = lines(request.headers['x-forwarded-proto']).at(-1)
  return { address: limitKey(address), secure: protocol === 'https' }
}

function lines(header: string | string[] | undefined): readonly string[] {
  return String(header ?? '')
    .split(',')
    .map((item) => item.trim())
}

/** IPv4 as such also where a socket for both kinds writes it as `::ffff:1.2.3.4`. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
}

function isTrusted(address: string, proxies: BlockList): boolean {
  const version = isIP(address)
  return version !== 0 && proxies.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

/** A household has a whole /64 of IPv6 addresses, so they count as one. */
function limitKey(address: string): string {
  if (isIP(address) !== 6) return address
  const [start = '', end] = address.split('::').map((half) => (half === '' ? [] : half.split(':')))
  const missing = end === undefined ? 0 : 8 - start.length - end.length
  const groups = [...start, ...Array<string>(missing).fill('0'), ...(end ?? [])]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
