import type { JSX } from 'preact'
import { useOneAtATime } from '../app/one-at-a-time.ts'

type Props = Omit<JSX.IntrinsicElements['button'], 'type' | 'onClick'> & {
  readonly action: () => Promise<unknown>
}

/**
 * A button that asks the server for something, once however often it is clicked. What a double click would do twice is
 * done once, too, when the first is answered between the two and the button means something else by then.
 */
export function ActionButton({ action, ...others }: Props): JSX.Element {
  const run = useOneAtATime()
  return (
    <button
      {...others}
      type="button"
      onClick={({ detail }) => {
        if (detail <= 1) run(action)
      }}
    />
  )
}
