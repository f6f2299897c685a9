import type { ComponentType, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { words } from '../i18n/i18n.ts'

interface Props {
  readonly room: string | null
}

/** The replay viewer, which is loaded when it is first wanted: with it come the whole rules. */
export function Replay(props: Props): JSX.Element {
  const [Viewer, setViewer] = useState<ComponentType<Props> | null>(null)
  useEffect(() => {
    import('./replay.tsx').then((loaded) => setViewer(() => loaded.ReplayViewer))
  }, [])
  return Viewer === null ? <p class="waiting">{words.value.loading}</p> : <Viewer {...props} />
}
