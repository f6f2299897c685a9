import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Frame } from './site.ts'

/** A TCP connection to the server, of which everything is heard as it comes over the wire. */
export class Wire {
  readonly #socket: Socket
  readonly #hear: (data: Buffer) => void
  /** From our side. */
  readonly port: number
  #written = 0
  #read = 0
  #wake: () => void = () => {}

  private constructor(socket: Socket, hear: (data: Buffer) => void) {
    this.#socket = socket
    this.#hear = hear
    this.port = socket.localPort ?? 0
    socket.on('data', (data) => this.#receive(data))
    socket.on('error', () => {})
    socket.on('close', () => this.#wake())
  }

  static async open(port: number, hear: (data: Buffer) => void): Promise<Wire> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    await once(socket, 'connect')
    return new Wire(socket, hear)
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed
  }

  /** Bytes from our side. */
  get written(): number {
    return this.#written
  }

  write(data: Buffer | string): void {
    this.#written += Buffer.byteLength(data)
    this.#socket.write(data)
  }

  /** Resolves when so many bytes have come, or no more can. */
  async received(bytes: number): Promise<void> {
    while (this.#read < bytes && this.isOpen) await this.#news()
  }

  /** Resolves when the server has closed it. */
  async closed(): Promise<void> {
    while (this.isOpen) await this.#news()
  }

  cut(): void {
    this.#socket.destroy()
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  #receive(data: Buffer): void {
    this.#read += data.length
    this.#hear(data)
    this.#wake()
  }
}

const END_OF_HEAD = '\r\n\r\n'

/** Takes the bytes of a WebSocket from a server apart: the answer to the handshake, then one frame after the other. */
export class FrameReader {
  readonly #hear: (frame: Frame) => void
  #isUpgraded = false
  #waiting: Buffer = Buffer.alloc(0)

  constructor(hear: (frame: Frame) => void) {
    this.#hear = hear
  }

  read(data: Buffer): void {
    this.#waiting = this.#waiting.length === 0 ? data : Buffer.concat([this.#waiting, data])
    while (this.#takeOne()) {}
  }

  #takeOne(): boolean {
    return this.#isUpgraded ? this.#takeFrame() : this.#takeHead()
  }

  #takeHead(): boolean {
    const end = this.#waiting.indexOf(END_OF_HEAD)
    if (end < 0) return false
    const text = this.#take(end + END_OF_HEAD.length)
    this.#isUpgraded = true
    this.#hear({ text: `${text}`, whole: `${text}` })
    return true
  }

  #takeFrame(): boolean {
    const second = this.#waiting[1]
    if (second === undefined) return false
    const short = second & 0x7f
    const start = short < 126 ? 2 : short === 126 ? 4 : 10
    if (this.#waiting.length < start) return false
    const length =
      short < 126
        ? short
        : short === 126
          ? this.#waiting.readUInt16BE(2)
          : Number(this.#waiting.readBigUInt64BE(2))
    if (this.#waiting.length < start + length) return false
    const head = this.#take(start).toString('hex')
    const text = `${this.#take(length)}`
    this.#hear({ text, whole: `${head} ${text}` })
    return true
  }

  #take(bytes: number): Buffer {
    const taken = this.#waiting.subarray(0, bytes)
    this.#waiting = this.#waiting.subarray(bytes)
    return taken
  }
}

/** A whole text message from a client, masked with nothing: every client's bytes are the same then. */
export function clientFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const isShort = length < 126
  const start = isShort ? 6 : 8
  const frame = Buffer.alloc(start + length)
  frame[0] = 0x81
  frame[1] = 0x80 | (isShort ? length : 126)
  if (!isShort) frame.writeUInt16BE(length, 2)
  frame.write(text, start)
  return frame
}
