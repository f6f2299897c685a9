import type { IncomingMessage, Server } from 'node:http'

/**
 * A request may offer another protocol beside HTTP/1.1, as Java's client does with `Upgrade: h2c`.
 * A server that does not speak it answers as if nothing had been offered, so the request is read
 * again without the offer. (Node 24 asks `shouldUpgradeCallback`; earlier ones upgrade all or none.)
 */
export function passOver(server: Server, request: IncomingMessage, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders, socket } = request
  let text = `${method} ${url} HTTP/${httpVersion}\r\n`
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (name.toLowerCase() !== 'upgrade') text += `${name}: ${rawHeaders[i + 1]}\r\n`
  }
  socket.unshift(Buffer.concat([Buffer.from(`${text}\r\n`, 'latin1'), head]))
  // The server puts them on again, but takes only its others off.
  socket.removeAllListeners('pause').removeAllListeners('resume')
  server.emit('connection', socket)
}
