import { type Inputs, useEffect, useState } from 'preact/hooks'

/** What `load` comes to; null while it is on its way. It is loaded anew when one of `keys` is another. */
export function useLoaded<T>(load: () => Promise<T>, keys: Inputs): T | null {
  const [loaded, setLoaded] = useState<T | null>(null)
  useEffect(() => {
    let isWanted = true
    setLoaded(null)
    load().then((value) => {
      if (isWanted) setLoaded(() => value)
    })
    return () => {
      isWanted = false
    }
  }, keys)
  return loaded
}
