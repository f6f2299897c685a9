import { allyOf, type Seat } from '@junqi/engine'
import { CHAT_LENGTH, type Channel, PHRASES, type Phrase, type RoomView } from '@junqi/protocol'
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { language, words } from '../i18n/i18n.ts'
import { attempt } from '../store/notices.ts'
import type { OpenRoom } from '../store/room.ts'

interface Props {
  readonly room: OpenRoom
  readonly view: RoomView
}

/** R-CHAT-1: what the viewer hears, and may try to say something in. */
export function channelsOf({ phase, you, game, rules }: RoomView): readonly Channel[] {
  if (phase === 'lobby' || phase === 'finished') return ['room']
  if (you.seat === null || hasLeft(game, you.seat)) return ['spectators']
  return allyOf(rules.ruleSet, you.seat) === null ? ['table'] : ['table', 'alliance']
}

const hasLeft = (game: RoomView['game'], seat: Seat): boolean => game?.seats[seat]?.out === 'left'

const PHRASE_KEYS = Object.keys(PHRASES).filter((key): key is Phrase => key in PHRASES)

/** Talk at a table: to everyone, to the table, or to the ally. */
export function Talk({ room, view }: Props): JSX.Element {
  const { talk } = words.value
  const channels = channelsOf(view)
  const [chosen, setChosen] = useState<Channel>('table')
  const channel = channels.includes(chosen) ? chosen : (channels[0] ?? 'room')
  return (
    <section class="talk card" aria-label={talk.title} data-test="talk">
      <header class="line">
        <h2>{talk.title}</h2>
        <Onlookers room={room} />
      </header>
      {channels.length > 1 && (
        <div class="tabs">
          {channels.map((each) => (
            <button
              type="button"
              key={each}
              aria-pressed={each === channel}
              data-test={`channel-${each}`}
              onClick={() => setChosen(each)}
            >
              {talk.channels[each]}
            </button>
          ))}
        </div>
      )}
      <Said room={room} view={view} channel={channel} />
      <Say room={room} channel={channel} />
    </section>
  )
}

function Onlookers({ room }: Pick<Props, 'room'>) {
  room.talk.value
  const { count } = room.handle.onlookers
  return count === 0 ? null : <span class="tag">{words.value.talk.onlookers(count)}</span>
}

function Said({ room, view, channel }: Props & { readonly channel: Channel }) {
  const { talk } = words.value
  const list = useRef<HTMLOListElement>(null)
  const heard = room.talk.value
  const said = room.handle.chat(channel)
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight })
  }, [heard, channel])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what overflows is scrolled with the keys.
    <ol ref={list} aria-live="polite" aria-label={talk.channels[channel]} tabIndex={0}>
      {said.map(({ part, number, by, text, phrase }) => (
        <li key={`${part} ${number}`}>
          <b class={seatOf(view, by.id) ?? ''}>{by.name}</b>{' '}
          {phrase === null ? text : PHRASES[phrase][language.value]}
        </li>
      ))}
    </ol>
  )
}

function seatOf({ seats, rules }: RoomView, id: string): Seat | null {
  return rules.ruleSet.seats.find((seat) => seats[seat]?.player.id === id) ?? null
}

function Say({ room, channel }: Pick<Props, 'room'> & { readonly channel: Channel }) {
  const { talk } = words.value
  const [text, setText] = useState('')
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (text.trim() === '') return
    const done = await attempt(room.handle.say(channel, text))
    if (done !== null) setText('')
  }
  return (
    <form onSubmit={submit}>
      <div class="line">
        <input
          value={text}
          maxLength={CHAT_LENGTH}
          autocomplete="off"
          aria-label={talk.write(talk.channels[channel])}
          placeholder={talk.write(talk.channels[channel])}
          data-test="say"
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit">{talk.send}</button>
      </div>
      <select
        value=""
        aria-label={talk.phrases}
        data-test="phrases"
        onChange={(event) => {
          const key = PHRASE_KEYS.find((phrase) => phrase === event.currentTarget.value)
          event.currentTarget.value = ''
          if (key !== undefined) attempt(room.handle.sayPhrase(channel, key))
        }}
      >
        <option value="">{talk.phrases}</option>
        {PHRASE_KEYS.map((key) => (
          <option key={key} value={key}>
            {PHRASES[key][language.value]}
          </option>
        ))}
      </select>
    </form>
  )
}
