import { CHANNELS, type Player, type PlayerId, type RoomView } from '@junqi/protocol'
import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { words } from '../i18n/i18n.ts'
import { attempt } from '../store/notices.ts'
import type { OpenRoom } from '../store/room.ts'
import { mutes, session } from '../store/session.ts'
import { PlayerName } from './player-name.tsx'

interface Props {
  readonly room: OpenRoom
  readonly view: RoomView
}

/** What the player has said as a host since the page was loaded, by room and player: the server tells nobody. */
const silenced = signal<ReadonlyMap<string, boolean>>(new Map())

function mute(player: PlayerId, isMuted: boolean): void {
  const now = session.value
  if (now.state === 'known') attempt(now.client.mute(player, isMuted))
}

async function silence({ id, handle }: OpenRoom, player: PlayerId, isSilenced: boolean) {
  if ((await attempt(handle.silence(player, isSilenced))) === null) return
  silenced.value = new Map([...silenced.value, [`${id} ${player}`, isSilenced]])
}

interface MenuProps extends Props {
  readonly talker: Player
  readonly onDone: () => void
}

/** What can be done about somebody who talks. */
export function TalkerMenu({ room, view, talker, onDone }: MenuProps): JSX.Element {
  const { talk, close } = words.value
  const first = useRef<HTMLButtonElement>(null)
  const now = session.value
  const me = now.state === 'known' ? now.player.id : null
  const isSilenced = silenced.value.get(`${room.id} ${talker.id}`)
  useEffect(() => first.current?.focus(), [])
  const done = (act: () => void): void => {
    act()
    onDone()
  }
  return (
    <p
      class="talker-menu"
      data-test="talker-menu"
      onKeyDown={(event) => event.key === 'Escape' && onDone()}
    >
      <PlayerName player={talker} isAside />
      {talker.id !== me && (
        <button type="button" ref={first} onClick={() => done(() => mute(talker.id, true))}>
          {talk.mute}
        </button>
      )}
      {view.host === me &&
        talker.id !== me &&
        // Of whom it is not known both are offered: to silence the silenced changes nothing.
        [true, false].map(
          (wish) =>
            wish !== isSilenced && (
              <button
                type="button"
                key={String(wish)}
                onClick={() => done(() => void silence(room, talker.id, wish))}
              >
                {wish ? talk.silence : talk.unsilence}
              </button>
            ),
        )}
      <button type="button" class="quiet" aria-label={close} onClick={onDone}>
        ×
      </button>
    </p>
  )
}

/** Those here whom the player does not hear, to be heard again. */
export function MutedHere({ room, view }: Props): JSX.Element | null {
  const { talk } = words.value
  room.talk.value
  const muted = presentIn(room, view).filter(({ id }) => mutes.value.has(id))
  if (muted.length === 0) return null
  return (
    <p class="hint muted" data-test="muted">
      {talk.muted}
      {muted.map(({ id, name }) => (
        <button type="button" key={id} onClick={() => mute(id, false)}>
          {talk.unmute(name)}
        </button>
      ))}
    </p>
  )
}

/** Who sits here, looks on, or has said something; each once. */
function presentIn({ handle }: OpenRoom, { seats }: RoomView): readonly Player[] {
  const seated = Object.values(seats).flatMap((occupant) => occupant?.player ?? [])
  const talkers = CHANNELS.flatMap((channel) => handle.chat(channel)).map(({ by }) => by)
  const all = [...seated, ...handle.onlookers.players, ...talkers]
  return [...new Map(all.map((player) => [player.id, player])).values()]
}
