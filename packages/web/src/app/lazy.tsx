import type { ComponentType, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { words } from '../i18n/i18n.ts'

/** A screen that is loaded when it is first wanted, so that whoever does not want it does not wait for it. */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let Loaded: ComponentType<Props> | null = null
  return function Lazy(props: Props): JSX.Element {
    const [state, setState] = useState<'loading' | 'failed' | 'there'>('loading')
    useEffect(() => {
      if (Loaded !== null) return
      load().then(
        (Screen) => {
          Loaded = Screen
          setState('there')
        },
        () => setState('failed'),
      )
    }, [])
    if (Loaded !== null) return <Loaded {...props} />
    return state === 'failed' ? <Failed /> : <p class="waiting">{words.value.loading}</p>
  }
}

function Failed() {
  const { loadFailed, connection } = words.value
  return (
    <p class="waiting" role="alert">
      {loadFailed}{' '}
      <button type="button" onClick={() => location.reload()}>
        {connection.reload}
      </button>
    </p>
  )
}
