import { type Channel, PHRASES } from '@junqi/protocol'
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { language, words } from '../i18n/i18n.ts'
import { attempt } from '../store/notices.ts'
import type { OpenRoom } from '../store/room.ts'
import { phrasesIn } from './talk-channels.ts'

interface Props {
  readonly room: OpenRoom
  readonly channel: Channel
}

/** The keys of the first ten phrases. */
const DIGITS = '1234567890'

/** What is said with one press: of a button, or of its digit while the list is open and has the focus. */
export function Phrases({ room, channel }: Props): JSX.Element {
  const { talk } = words.value
  const details = useRef<HTMLDetailsElement>(null)
  const phrases = phrasesIn(channel)
  const say = (phrase: (typeof phrases)[number]): void => {
    attempt(room.handle.sayPhrase(channel, phrase))
    if (details.current === null) return
    details.current.open = false
    details.current.querySelector('summary')?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const phrase = phrases[DIGITS.indexOf(event.key)]
    const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey
    if (details.current?.open !== true || phrase === undefined || !isPlain) return
    event.preventDefault()
    say(phrase)
  }
  return (
    <details ref={details} class="phrases" onKeyDown={onKeyDown}>
      <summary data-test="phrases">{talk.phrases}</summary>
      <div>
        {phrases.map((phrase, i) => (
          <button
            type="button"
            key={phrase}
            data-test={`phrase-${phrase}`}
            aria-keyshortcuts={DIGITS[i]}
            onClick={() => say(phrase)}
          >
            {i < DIGITS.length && <kbd aria-hidden="true">{DIGITS[i]}</kbd>}
            {PHRASES[phrase][language.value]}
          </button>
        ))}
      </div>
    </details>
  )
}
