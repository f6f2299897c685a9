/** Where a server's socket and its HTTP paths are, from its address: `https://junqi.example`, or `wss://...`. */
export interface Address {
  readonly socket: string
  readonly http: (path: string) => string
}

export function addressOf(url: string): Address {
  const base = new URL(url.endsWith('/') ? url : `${url}/`)
  const under = (path: string, scheme: 'http' | 'ws'): string => {
    const address = new URL(path, base)
    const secure = base.protocol === 'https:' || base.protocol === 'wss:'
    address.protocol = secure ? `${scheme}s:` : `${scheme}:`
    return address.href
  }
  return { socket: under('v1/ws', 'ws'), http: (path) => under(path, 'http') }
}
