import type { WebSocketConstructor } from '@junqi/client'
import { type ClientMessage, commandId, decodeServerMessage, PROTOCOL } from '@junqi/protocol'

export interface Resending {
  readonly url: string
  readonly token: string
  /** Writes down what goes through it: the ledger judges the replies. */
  readonly WebSocket: WebSocketConstructor
}

/** Offered besides the protocol, so that the balancer can tell this line from the player's own. */
export const RESENDING = 'resending'

/** Sends commands again on a connection of its own, ids and all, and waits for their replies. */
export function resend(
  { url, token, WebSocket }: Resending,
  commands: readonly ClientMessage[],
): Promise<void> {
  const hello = { type: 'hello', id: commandId.parse('again'), client: 'resend' } as const
  const messages = [hello, ...commands]
  const address = `${url.replace(/^http/, 'ws')}/v1/ws`
  const socket = new WebSocket(address, [PROTOCOL, `bearer.${token}`, RESENDING])
  const waiting = new Set<string>(messages.map(({ id }) => id))
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => {
      for (const message of messages) socket.send(JSON.stringify(message))
    })
    socket.addEventListener('message', ({ data }) => {
      const decoded = decodeServerMessage(String(data))
      if (decoded.ok && 're' in decoded.value) waiting.delete(decoded.value.re ?? '')
      if (waiting.size > 0) return
      socket.close(1000)
      resolve()
    })
    socket.addEventListener('close', () => reject(new Error(`no reply to ${[...waiting]}`)))
    socket.addEventListener('error', () => {})
  })
}
