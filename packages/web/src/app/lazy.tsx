import type { ComponentType, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { words } from '../i18n/i18n.ts'

type Loading<Props> =
  | { readonly state: 'loading' | 'failed' }
  | { readonly state: 'there'; readonly Screen: ComponentType<Props> }

/** A screen that is loaded when it is first wanted, so that whoever does not want it does not wait for it. */
export const lazy = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  function Lazy(props: Props): JSX.Element {
    const { loading, loadFailed, connection } = words.value
    const [loaded, setLoaded] = useState<Loading<Props>>({ state: 'loading' })
    useEffect(() => {
      load().then(
        (Screen) => setLoaded({ state: 'there', Screen }),
        () => setLoaded({ state: 'failed' }),
      )
    }, [])
    if (loaded.state === 'there') return <loaded.Screen {...props} />
    if (loaded.state === 'loading') return <p class="waiting">{loading}</p>
    return (
      <p class="waiting" role="alert">
        {loadFailed}{' '}
        <button type="button" onClick={() => location.reload()}>
          {connection.reload}
        </button>
      </p>
    )
  }
