import { useEffect } from 'preact/hooks'

/** Shows the start of a screen that has come, and gives it the focus if that was lost with the screen before. */
export function arriveAt(start: HTMLElement | null): void {
  if (start === null) return
  start.scrollIntoView({ block: 'start' })
  const { activeElement } = document
  const isLost = activeElement === null || activeElement.contains(start)
  if (isLost) start.focus({ preventScroll: true })
}

/** What opens takes the focus, to its first button; when it closes, what `lender` selects gets it back. */
export function useLentFocus(
  opened: { readonly current: HTMLElement | null },
  lender: string,
): void {
  useEffect(() => {
    const here = opened.current
    here?.querySelector('button')?.focus()
    return () => {
      const { activeElement } = document
      const hadIt = here?.contains(activeElement) === true || activeElement === document.body
      if (hadIt) document.querySelector<SVGElement>(lender)?.focus({ preventScroll: true })
    }
  }, [])
}
