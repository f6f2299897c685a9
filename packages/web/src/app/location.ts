import { signal } from '@preact/signals'
import { formatRoute, parseRoute, type Route } from './route.ts'

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
