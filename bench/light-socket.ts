import { connect, type Socket } from 'node:net'

/**
 * The least WebSocket client there is, so that the load generator is never the slower side:
 * mask key zero (the server still unmasks), no fragments.
 */
export interface LightSocket {
  /** Frames received since the upgrade that count. */
  received: number
  /** Whether a frame counts; its bytes are those from `start` to `end`. */
  counts: (data: Buffer, start: number, end: number) => boolean
  /** A text is a text frame, bytes are a binary one. */
  send(message: string | Uint8Array): void
  /** Called for each frame; `text()` decodes it, which costs, so only where it is needed. */
  onFrame: (text: () => string) => void
  /** The connection has ended, by whomever. */
  onClose: () => void
  close(): void
}

export function openLightSocket(
  port: number,
  path: string,
  protocols: readonly string[],
): Promise<LightSocket> {
  return new Promise((resolve, reject) => {
    const tcp = connect(port, '127.0.0.1')
    tcp.setNoDelay(true)
    // Later ones, as a reset, show as answers that do not come.
    tcp.on('error', reject)
    tcp.once('close', () => reject(new Error('closed before the upgrade')))
    tcp.write(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Key: ${Buffer.alloc(16, 7).toString('base64')}\r\nSec-WebSocket-Version: 13\r\n` +
        (protocols.length > 0 ? `Sec-WebSocket-Protocol: ${protocols.join(', ')}\r\n` : '') +
        '\r\n',
    )
    const socket = lightSocket(tcp)
    let head = Buffer.alloc(0)
    const onHead = (chunk: Buffer): void => {
      head = Buffer.concat([head, chunk])
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      tcp.off('data', onHead)
      if (!head.toString('latin1').startsWith('HTTP/1.1 101')) {
        tcp.destroy()
        reject(new Error(head.toString('utf8')))
        return
      }
      tcp.on('data', socket.feed)
      tcp.once('close', () => socket.api.onClose())
      resolve(socket.api)
      if (head.length > end + 4) socket.feed(head.subarray(end + 4))
    }
    tcp.on('data', onHead)
  })
}

const TEXT = 1
const BINARY = 2
const PING = 9

function lightSocket(tcp: Socket): { api: LightSocket; feed: (chunk: Buffer) => void } {
  let rest: Buffer | null = null
  const api: LightSocket = {
    received: 0,
    counts: () => true,
    send: (message) => tcp.write(clientFrame(message)),
    onFrame: () => {},
    onClose: () => {},
    close: () => tcp.destroy(),
  }
  const feed = (chunk: Buffer): void => {
    const data = rest === null ? chunk : Buffer.concat([rest, chunk])
    let at = 0
    for (;;) {
      const frame = frameAt(data, at)
      if (frame === null) break
      at = frame.end
      if (frame.opcode === PING) tcp.write(Buffer.from([0x8a, 0x80, 0, 0, 0, 0]))
      if (frame.opcode !== TEXT && frame.opcode !== BINARY) continue
      if (api.counts(data, frame.start, frame.end)) api.received++
      api.onFrame(() => data.toString('utf8', frame.start, frame.end))
    }
    rest = at < data.length ? data.subarray(at) : null
  }
  return { api, feed }
}

interface Frame {
  readonly opcode: number
  readonly start: number
  readonly end: number
}

/** The unmasked frame that starts at `at`; null: it is not there whole. */
function frameAt(data: Buffer, at: number): Frame | null {
  if (data.length < at + 2) return null
  const opcode = (data[at] ?? 0) & 15
  const short = (data[at + 1] ?? 0) & 127
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0
  const start = at + 2 + extended
  if (data.length < start) return null
  const length =
    extended === 0
      ? short
      : extended === 2
        ? data.readUInt16BE(at + 2)
        : Number(data.readBigUInt64BE(at + 2))
  return data.length < start + length ? null : { opcode, start, end: start + length }
}

function clientFrame(message: string | Uint8Array): Buffer {
  const payload = typeof message === 'string' ? Buffer.from(message) : message
  const { length } = payload
  const extended = length < 126 ? 0 : 2
  const frame = Buffer.allocUnsafe(6 + extended + length)
  frame[0] = 0x80 | (typeof message === 'string' ? TEXT : BINARY)
  frame[1] = 0x80 | (extended === 0 ? length : 126)
  if (extended === 2) frame.writeUInt16BE(length, 2)
  frame.writeUInt32BE(0, 2 + extended)
  frame.set(payload, 6 + extended)
  return frame
}
