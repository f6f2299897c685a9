import { parseRoomCode } from '@junqi/protocol'

/** Where the page is. It stands behind the `#` of the address, so that no server is told invitations. */
export type Route =
  | { readonly screen: 'home' }
  | { readonly screen: 'table'; readonly room: string; readonly invitation: string | null }
  /** Somebody invites to wait for a table as a pair. */
  | { readonly screen: 'pair'; readonly code: string }
  | { readonly screen: 'replay'; readonly room: string; readonly share: string | null }
  /** Of a file that stays in this browser. */
  | { readonly screen: 'file' }
  | { readonly screen: 'player'; readonly id: string }
  | { readonly screen: 'help' }
  /** `preset` null: by score, else by the rating in it. */
  | { readonly screen: 'leaderboard'; readonly preset: string | null }

/** Reads what stands behind the `#`. */
export function parseRoute(hash: string): Route {
  const [, screen, first, second] = hash.replace(/^#/, '').split('/')
  if (screen === 't' && first) return { screen: 'table', room: first, invitation: second || null }
  if (screen === 'pair' && first) return { screen: 'pair', code: first }
  if (screen === 'replay')
    return first ? { screen: 'replay', room: first, share: second || null } : { screen: 'file' }
  if (screen === 'player' && first) return { screen: 'player', id: first }
  if (screen === 'help') return { screen: 'help' }
  if (screen === 'leaderboard') return { screen: 'leaderboard', preset: first || null }
  return { screen: 'home' }
}

export function formatRoute(route: Route): string {
  switch (route.screen) {
    case 'home':
      return '#/'
    case 'table':
      return pathOf('t', route.room, route.invitation)
    case 'pair':
      return pathOf('pair', route.code)
    case 'replay':
      return pathOf('replay', route.room, route.share)
    case 'file':
      return pathOf('replay')
    case 'player':
      return pathOf('player', route.id)
    case 'help':
      return pathOf('help')
    case 'leaderboard':
      return pathOf('leaderboard', route.preset)
  }
}

const pathOf = (...parts: readonly (string | null)[]): string =>
  `#/${parts.filter((part) => part !== null).join('/')}`

/** The table that a code or a whole invitation link names; null: neither. */
export function parseTableCode(text: string): Route | null {
  const hash = text.includes('#') ? text.slice(text.indexOf('#')) : ''
  const linked = parseRoute(hash.trim())
  if (linked.screen === 'table') return linked
  const room = parseRoomCode(text)
  return room === null ? null : { screen: 'table', room, invitation: null }
}
