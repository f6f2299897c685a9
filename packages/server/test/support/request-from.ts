import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'

/** A request as it comes from an address, without a connection. */
export function requestFrom(
  remoteAddress: string,
  headers: Readonly<Record<string, string>>,
  localAddress = '198.51.100.9',
): IncomingMessage {
  const socket = Object.defineProperties(new Socket(), {
    remoteAddress: { value: remoteAddress },
    localAddress: { value: localAddress },
  })
  return Object.assign(new IncomingMessage(socket), { headers })
}
