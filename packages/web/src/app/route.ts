import { signal } from '@preact/signals'

/** Where the page is. It stands behind the `#` of the address, so that no server is told invitations. */
export type Route =
  | { readonly screen: 'home' }
  | { readonly screen: 'table'; readonly room: string; readonly invitation: string | null }
  | { readonly screen: 'replay'; readonly room: string | null }

/** Reads what stands behind the `#`. */
export function parseRoute(hash: string): Route {
  const [, screen, first, second] = hash.replace(/^#/, '').split('/')
  if (screen === 't' && first) return { screen: 'table', room: first, invitation: second || null }
  if (screen === 'replay') return { screen: 'replay', room: first || null }
  return { screen: 'home' }
}

export function formatRoute(route: Route): string {
  switch (route.screen) {
    case 'home':
      return '#/'
    case 'table':
      return `#/t/${route.room}${route.invitation === null ? '' : `/${route.invitation}`}`
    case 'replay':
      return `#/replay${route.room === null ? '' : `/${route.room}`}`
  }
}

/** The table that a code or a whole invitation link names; null: neither. */
export function parseTableCode(text: string): Route | null {
  const hash = text.includes('#') ? text.slice(text.indexOf('#')) : ''
  const linked = parseRoute(hash.trim())
  if (linked.screen === 'table') return linked
  const code = text.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1')
  return /^[0-9a-z]{8}$/.test(code) ? { screen: 'table', room: code, invitation: null } : null
}

export const route = signal<Route>(parseRoute(location.hash))
addEventListener('hashchange', () => {
  route.value = parseRoute(location.hash)
})

export function go(to: Route): void {
  location.hash = formatRoute(to)
}

/** The whole address of a table, to pass on. */
export const linkTo = (to: Route): string =>
  `${location.origin}${location.pathname}${formatRoute(to)}`
