import { signal } from '@preact/signals'

const query = matchMedia('(max-aspect-ratio: 1/1)')

/** The window is taller than wide: pieces stand upright on the big board. */
export const isTall = signal(query.matches)
query.addEventListener('change', () => {
  isTall.value = query.matches
})
