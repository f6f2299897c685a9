import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { Config } from '../config.ts'
import { isFromThisMachine } from './peer.ts'
import { refusal } from './refusal.ts'

/** What a browser on the server's own machine is answered on a page that reached it by a stranger's name. */
export const MISNAMED = refusal(
  'forbidden_origin',
  'From its own machine this server is asked for as localhost or by an address. A proxy that asks is named in JUNQI_TRUSTED_PROXIES; a name of your own stands in JUNQI_ORIGINS.',
)

/**
 * Whether a program on this machine asks for the server by a name that anyone may have given it (DNS rebinding): a page of
 * that name would count as the server's own. A name without a dot is nobody's in the public DNS.
 */
export function isMisnamed(
  request: IncomingMessage,
  { trustedProxies, origins }: Pick<Config, 'trustedProxies' | 'origins'>,
): boolean {
  const { host } = request.headers
  if (host === undefined || !isFromThisMachine(request.socket, trustedProxies)) return false
  const name = host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase()
  if (!name.includes('.') || name.endsWith('.localhost')) return false
  if (isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0) return false
  return ![...origins].some((origin) => new URL(origin).hostname === name)
}
