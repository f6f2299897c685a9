import type { WebSocketConstructor } from '@junqi/client'
import WebSocket from 'ws'

/** What came over a player's sockets. */
export interface Tally {
  messages: number
  bytes: number
}

/** A WebSocket that counts what comes, and shows it before anyone else sees it. */
export function countingSocket(tally: Tally, onText: (text: string) => void): WebSocketConstructor {
  return class extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols)
      this.on('message', (data) => {
        const text = String(data)
        tally.messages += 1
        tally.bytes += Buffer.byteLength(text)
        onText(text)
      })
    }
  }
}
