import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'

/** A request as it comes from an address, without a connection. */
export function requestFrom(
  remoteAddress: string,
  headers: Readonly<Record<string, string>>,
): IncomingMessage {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress })
  return Object.assign(new IncomingMessage(socket), { headers })
}
