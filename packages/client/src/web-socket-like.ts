/** What the SDK uses of a WebSocket: a browser's, Node's own, and the one of npm `ws` all have it. */
export interface WebSocketLike {
  send(text: string): void
  close(code?: number, reason?: string): void
  addEventListener(type: 'open' | 'error', listener: () => void): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  addEventListener(
    type: 'close',
    listener: (event: { readonly code: number; readonly reason: string }) => void,
  ): void
}

export type WebSocketConstructor = new (url: string, protocols: string[]) => WebSocketLike
