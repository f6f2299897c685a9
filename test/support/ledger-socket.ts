import type { WebSocketConstructor } from '@junqi/client'
import { decodeClientMessage, decodeServerMessage, type PlayerId } from '@junqi/protocol'
import WebSocket from 'ws'
import type { Ledger } from './ledger.ts'

/** A WebSocket of `ws` that writes down in the ledger what goes through it. */
export function ledgerSocket(ledger: Ledger, player: PlayerId): WebSocketConstructor {
  return class extends WebSocket {
    readonly #lines = ledger.open(player)

    constructor(url: string, protocols: string[]) {
      super(url, protocols)
      this.on('message', (data) => {
        const message = decodeServerMessage(String(data))
        if (message.ok && message.value.type !== 'unknown') this.#lines.received(message.value)
      })
    }

    override send(text: string): void {
      const message = decodeClientMessage(text)
      if (message.ok) this.#lines.sent(message.value)
      super.send(text)
    }
  }
}
