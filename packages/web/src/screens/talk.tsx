import type { Said } from '@junqi/client'
import type { Seat } from '@junqi/engine'
import {
  CHAT_LENGTH,
  type Channel,
  PHRASES,
  type Player,
  type PlayerId,
  type RoomView,
} from '@junqi/protocol'
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { SeatToken } from '../board/seat-token.tsx'
import { language, listOf, words } from '../i18n/i18n.ts'
import { attempt } from '../store/notices.ts'
import type { OpenRoom } from '../store/room.ts'
import { mutes } from '../store/session.ts'
import { Phrases } from './phrases.tsx'
import { nameOf } from './player-name.tsx'
import { channelsOf, isOpen } from './talk-channels.ts'
import { MutedHere, TalkerMenu } from './talkers.tsx'

interface Props {
  readonly room: OpenRoom
  readonly view: RoomView
}

/** Talk at a table: to everyone, to the table, to the ally, or among those who look on. */
export function Talk({ room, view }: Props): JSX.Element {
  const { talk } = words.value
  const channels = channelsOf(view)
  const [chosen, setChosen] = useState<Channel | null>(null)
  const [talker, setTalker] = useState<Player | null>(null)
  // Whoever talked at the table talks to everyone when the game is over.
  useEffect(() => setChosen(null), [view.phase])
  const channel = channels.find((each) => each === chosen) ?? channels[0] ?? 'room'
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
      <Heard room={room} view={view} channel={channel} onTalker={setTalker} />
      {talker !== null && (
        <TalkerMenu
          key={talker.id}
          room={room}
          view={view}
          talker={talker}
          onDone={() => setTalker(null)}
        />
      )}
      <MutedHere room={room} view={view} />
      {isOpen(view, channel) && <Apart room={room} channel={channel} />}
      {isOpen(view, channel) ? (
        <Say room={room} channel={channel} />
      ) : (
        <p class="hint">{talk.over}</p>
      )}
    </section>
  )
}

function Onlookers({ room }: Pick<Props, 'room'>) {
  room.talk.value
  const { count, players } = room.handle.onlookers
  if (count === 0) return null
  return (
    <span class="tag" title={listOf(players.map(nameOf))} data-test="onlookers">
      {words.value.talk.onlookers(count)}
    </span>
  )
}

type ChannelProps = Pick<Props, 'room'> & { readonly channel: Channel }

/** R-CHAT-1: tells who looks on, and who is looked at, that they do not hear each other. */
function Apart({ room, channel }: ChannelProps) {
  room.talk.value
  const isLookedAt = channel === 'table' && room.handle.onlookers.count > 0
  if (channel !== 'spectators' && !isLookedAt) return null
  return (
    <p class="hint" data-test="apart">
      {words.value.talk.apart}
    </p>
  )
}

interface HeardProps extends Props {
  readonly channel: Channel
  readonly onTalker: (player: Player) => void
}

/** What was said in a channel by those whom the player hears. */
function Heard({ room, view, channel, onTalker }: HeardProps) {
  const { talk } = words.value
  const list = useRef<HTMLOListElement>(null)
  const heard = room.talk.value
  const muted: ReadonlySet<PlayerId> = mutes.value
  const said = room.handle.chat(channel).filter(({ by }) => !muted.has(by.id))
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight })
  }, [heard, channel])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what overflows is scrolled with the keys.
    <ol ref={list} aria-live="polite" aria-label={talk.channels[channel]} tabIndex={0}>
      {said.map((each) => (
        <Line key={`${each.part} ${each.number}`} said={each} view={view} onTalker={onTalker} />
      ))}
    </ol>
  )
}

interface LineProps extends Pick<HeardProps, 'view' | 'onTalker'> {
  readonly said: Said
}

function Line({ said: { by, text, phrase }, view, onTalker }: LineProps) {
  const seat = seatOf(view, by.id)
  return (
    <li>
      {seat !== null && <SeatToken ruleSet={view.rules.ruleSet} seat={seat} />}
      <button type="button" class="talker" aria-haspopup="true" onClick={() => onTalker(by)}>
        {by.name}
      </button>{' '}
      {phrase === null ? text : PHRASES[phrase][language.value]}
    </li>
  )
}

function seatOf({ seats, rules }: RoomView, id: string): Seat | null {
  return rules.ruleSet.seats.find((seat) => seats[seat]?.player.id === id) ?? null
}

function Say({ room, channel }: ChannelProps) {
  const { talk } = words.value
  const [text, setText] = useState('')
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (text.trim() === '') return
    const done = await attempt(room.handle.say(channel, text))
    if (done !== null) setText('')
  }
  return (
    <>
      <form class="line" onSubmit={submit}>
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
      </form>
      <Phrases room={room} channel={channel} />
    </>
  )
}
