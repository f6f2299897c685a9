import { useRef } from 'preact/hooks'

type Action = () => Promise<unknown>

/** Runs what it is given, but nothing while that is on its way: a click then is the second of a double one. */
export function oneAtATime(): (action: Action) => Promise<void> {
  let isBusy = false
  return async (action) => {
    if (isBusy) return
    isBusy = true
    try {
      await action()
    } finally {
      isBusy = false
    }
  }
}

/** `oneAtATime` for as long as a part of the page is there. */
export const useOneAtATime = (): ReturnType<typeof oneAtATime> => useRef(oneAtATime()).current

/** For `onSubmit` of a form that the page sends itself, once however often it is clicked. */
export function useSubmit(action: Action): (event: Event) => void {
  const run = useOneAtATime()
  return (event) => {
    event.preventDefault()
    run(action)
  }
}
