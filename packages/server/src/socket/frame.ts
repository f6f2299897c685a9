import type { EncodedMessage } from '@junqi/protocol'

/** The first byte of a frame that is a whole text message (RFC 6455, 5.2). */
const WHOLE_TEXT = 0x81
/** Above these lengths two bytes follow that say the length, and then eight. */
const SHORT = 125
const LONG = 0xffff

let lastMessage: EncodedMessage | null = null
let lastFrame: Buffer = Buffer.alloc(0)

/**
 * The bytes of a WebSocket frame from a server, unmasked. What everyone in a room is told goes to one socket after the
 * other: the last frame is kept, so that it is made once for all of them.
 */
export function frameOf(message: EncodedMessage): Buffer {
  if (message !== lastMessage) {
    lastFrame = makeFrame(message)
    lastMessage = message
  }
  return lastFrame
}

function makeFrame(message: EncodedMessage): Buffer {
  const length = Buffer.byteLength(message)
  const start = length <= SHORT ? 2 : length <= LONG ? 4 : 10
  const frame = Buffer.allocUnsafe(start + length)
  frame[0] = WHOLE_TEXT
  if (length <= SHORT) frame[1] = length
  else if (length <= LONG) {
    frame[1] = SHORT + 1
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = SHORT + 2
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  frame.write(message, start)
  return frame
}
