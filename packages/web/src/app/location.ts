import { signal } from '@preact/signals'
import { formatRoute, parseRoute, type Route } from './route.ts'

export const route = signal<Route>(here())
addEventListener('hashchange', () => {
  route.value = here()
})

function here(): Route {
  const found = parseRoute(location.hash)
  // An address that leads nowhere shows the lobby, and is not kept or passed on.
  if (found.screen === 'home' && location.hash !== '') {
    history.replaceState(null, '', formatRoute(found))
  }
  return found
}

export function go(to: Route): void {
  location.hash = formatRoute(to)
}

/** The whole address of a table, to pass on. */
export const linkTo = (to: Route): string =>
  `${location.origin}${location.pathname}${formatRoute(to)}`
