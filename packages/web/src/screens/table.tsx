import { allianceOf, type Rules, type Seat } from '@junqi/engine'
import {
  BOT_LEVELS,
  formatRoomCode,
  type Player,
  type RoomId,
  type RoomView,
} from '@junqi/protocol'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { copyText } from '../app/clipboard.ts'
import { go, linkTo } from '../app/location.ts'
import { sideOf } from '../board/layout.ts'
import { SeatToken } from '../board/seat-token.tsx'
import { words } from '../i18n/i18n.ts'
import { attempt } from '../store/notices.ts'
import type { OpenRoom } from '../store/room.ts'
import { ActionButton } from './action-button.tsx'
import { PlayerName } from './player-name.tsx'
import { PlayerTitle } from './player-title.tsx'
import { RulesForm } from './rules-form.tsx'
import { RulesInWords } from './rules-in-words.tsx'
import { SpectatorsField, wordForSpectators } from './spectators-field.tsx'
import { Talk } from './talk.tsx'
import { whyFriendly } from './why-friendly.ts'

export interface RoomProps {
  readonly room: OpenRoom
  readonly view: RoomView
  readonly me: Player
}

/** The table before the game: who sits where, and by which rules. */
export function Table({ room, view, me }: RoomProps): JSX.Element {
  const { table, presets } = words.value
  const { seats: taken, ruleSet } = facts(view)
  const bottom = view.you.seat ?? ruleSet.seats[0] ?? 'south'
  return (
    <div class="table-screen">
      <section class="round">
        <h1>
          {presets[view.rules.preset]} <small>{formatRoomCode(room.id)}</small>
        </h1>
        <div class={`seats ${ruleSet.seats.length === 2 ? 'two' : ''}`} data-test="seats">
          {ruleSet.seats.map((seat) => (
            <SeatCard key={seat} seat={seat} bottom={bottom} room={room} view={view} me={me} />
          ))}
          <div class="middle">
            <p role="status">{stateOf(view, taken)}</p>
            <Actions room={room} view={view} me={me} />
          </div>
        </div>
        <Swaps room={room} view={view} me={me} />
        <Invite room={room} view={view} />
        <ActionButton
          class="quiet"
          action={async () => {
            if (view.you.seat !== null || view.host === me.id) await attempt(room.handle.leave())
            go({ screen: 'home' })
          }}
        >
          {table.leave}
        </ActionButton>
      </section>
      <div>
        <Talk room={room} view={view} />
        <TableRules room={room} view={view} me={me} />
      </div>
    </div>
  )
}

interface Facts {
  readonly ruleSet: RoomView['rules']['ruleSet']
  /** How many of them are taken, and ready. */
  readonly seats: { readonly taken: number; readonly ready: number; readonly all: number }
}

function facts({ rules: { ruleSet }, seats }: RoomView): Facts {
  const occupants = ruleSet.seats.flatMap((seat) => seats[seat] ?? [])
  const ready = occupants.filter(({ ready }) => ready).length
  return { ruleSet, seats: { taken: occupants.length, ready, all: ruleSet.seats.length } }
}

function stateOf(view: RoomView, { taken, ready, all }: Facts['seats']): string {
  const { table, lobby } = words.value
  if (view.closed) return table.closed
  if (taken < all) return `${table.waiting} · ${lobby.seatsTaken(taken, all)}`
  return ready < all ? table.waitingReady : table.waitingHost
}

function Actions({ room, view, me }: RoomProps) {
  const { table } = words.value
  const { seat } = view.you
  const mine = seat === null ? null : view.seats[seat]
  const { taken, ready, all } = facts(view).seats
  const isHost = view.host === me.id
  const mayStart = taken === all && ready === all
  return (
    <div class="actions">
      {mine !== null && (
        <ActionButton
          class={mine.ready ? '' : 'primary'}
          data-test="ready"
          action={() => attempt(mine.ready ? room.handle.notReady() : room.handle.ready())}
        >
          {mine.ready ? table.notReady : table.ready}
        </ActionButton>
      )}
      {isHost && (
        <ActionButton
          class={mayStart ? 'primary' : ''}
          disabled={!mayStart}
          data-test="start"
          action={() => attempt(room.handle.start())}
        >
          {table.start}
        </ActionButton>
      )}
    </div>
  )
}

type SeatProps = RoomProps & { readonly seat: Seat; readonly bottom: Seat }

function SeatCard({ seat, bottom, room, view, me }: SeatProps) {
  const { seats, table, you } = words.value
  const { ruleSet } = view.rules
  const occupant = view.seats[seat]
  const isMine = seat === view.you.seat
  return (
    <article class={`seat ${seat} ${sideOf(seat, bottom)}`} data-seat={seat}>
      <SeatToken ruleSet={ruleSet} seat={seat} />
      <h2>
        {seats[seat]}
        {allianceOf(ruleSet, seat).length > 1 && (
          <small>
            {' '}
            {table.alliance} {ruleSet.alliances.findIndex((all) => all.includes(seat)) + 1}
          </small>
        )}
      </h2>
      {occupant === null ? (
        <p class="empty">{table.empty}</p>
      ) : (
        <p class="who">
          <PlayerName player={occupant.player} isAside />
          <PlayerTitle player={occupant.player} />
          {isMine && ` (${you})`}
          {occupant.player.id === view.host && <span class="tag">{words.value.lobby.host}</span>}
          <span class={`tag ${occupant.ready ? 'yes' : ''}`}>
            {occupant.ready ? table.isReady : table.isNotReady}
          </span>
          {occupant.goneSince !== null && <span class="tag warn">{table.gone}</span>}
        </p>
      )}
      <SeatActions seat={seat} room={room} view={view} me={me} />
    </article>
  )
}

function SeatActions({ seat, room, view, me }: RoomProps & { readonly seat: Seat }) {
  const { table } = words.value
  const { handle } = room
  const occupant = view.seats[seat]
  const isHost = view.host === me.id
  if (occupant === null) {
    return (
      <div class="actions">
        <ActionButton data-test={`sit-${seat}`} action={() => attempt(handle.sit(seat))}>
          {table.sit}
        </ActionButton>
        {isHost && <BotMenu seat={seat} room={room} />}
      </div>
    )
  }
  if (seat === view.you.seat) {
    return (
      <div class="actions">
        <ActionButton class="quiet" action={() => attempt(handle.stand())}>
          {table.stand}
        </ActionButton>
      </div>
    )
  }
  const isAsked = view.swaps.some((swap) => swap.by === view.you.seat && swap.with === seat)
  return (
    <div class="actions">
      {view.you.seat !== null && (
        <ActionButton
          class="quiet"
          disabled={isAsked}
          action={() => attempt(handle.requestSwap(seat))}
        >
          {isAsked ? table.swapSent : table.swap}
        </ActionButton>
      )}
      {isHost && (
        <ActionButton class="quiet" action={() => attempt(handle.removePlayer(occupant.player.id))}>
          {table.remove}
        </ActionButton>
      )}
    </div>
  )
}

function BotMenu({ seat, room }: { readonly seat: Seat; readonly room: OpenRoom }) {
  const { table, seats } = words.value
  return (
    <select
      aria-label={`${table.addBot} (${seats[seat]})`}
      data-test={`bot-${seat}`}
      value=""
      onChange={(event) => {
        const level = BOT_LEVELS.find((known) => known === event.currentTarget.value)
        event.currentTarget.value = ''
        if (level !== undefined) attempt(room.handle.addBot(seat, level))
      }}
    >
      <option value="">{table.addBot}</option>
      {BOT_LEVELS.map((level) => (
        <option key={level} value={level}>
          {table.botLevels[level]}
        </option>
      ))}
    </select>
  )
}

function Swaps({ room, view }: RoomProps) {
  const { table, seats, yes, no } = words.value
  const mine = view.swaps.filter((swap) => swap.with === view.you.seat)
  return mine.map(({ swap, by }) => (
    <p key={swap} class="ask" role="alert">
      {table.swapAsked(seats[by])}
      <ActionButton action={() => attempt(room.handle.answerSwap(swap, true))}>{yes}</ActionButton>
      <ActionButton action={() => attempt(room.handle.answerSwap(swap, false))}>{no}</ActionButton>
    </p>
  ))
}

/** The way to this table, for whoever it is passed on to. */
export const invitationLink = (room: RoomId, { invitation }: RoomView): string =>
  linkTo({ screen: 'table', room, invitation })

function Invite({ room, view }: Pick<RoomProps, 'room' | 'view'>) {
  const { table, copy } = words.value
  const link = invitationLink(room.id, view)
  return (
    <div class="invite">
      <label for="invitation">
        {table.invite} · {view.invitation === null ? table.public : table.private}
      </label>
      <div class="line">
        <input
          id="invitation"
          readonly
          value={link}
          onFocus={(event) => event.currentTarget.select()}
        />
        <button type="button" onClick={() => copyText(link)}>
          {copy}
        </button>
      </div>
      <small>{table.inviteHint}</small>
    </div>
  )
}

function TableRules({ room, view, me }: RoomProps) {
  const { table, presetTexts, cancel, spectators } = words.value
  const [draft, setDraft] = useState<Rules | null>(null)
  const { preset, options } = view.rules
  const isHost = view.host === me.id
  if (draft !== null) {
    return (
      <form
        class="card"
        data-test="change-rules"
        onSubmit={async (event) => {
          event.preventDefault()
          const done = await attempt(room.handle.setRules(draft.preset, draft.options))
          if (done !== null) setDraft(null)
        }}
      >
        <RulesForm rules={draft} onChange={setDraft} />
        <button type="submit" class="primary">
          {table.saveRules}
        </button>
        <button type="button" onClick={() => setDraft(null)}>
          {cancel}
        </button>
      </form>
    )
  }
  return (
    <section class="card">
      <h2>{table.rules}</h2>
      <p class="hint">{presetTexts[preset]}</p>
      <RulesInWords rules={{ preset, options }} friendly={whyFriendly(view)} />
      {isHost ? (
        <SpectatorsField
          spectators={view.spectators}
          onChange={(wanted) => attempt(room.handle.setSpectators(wanted))}
        />
      ) : (
        <p data-test="spectators">
          {spectators.title}: {wordForSpectators(view.spectators)}
        </p>
      )}
      {isHost && (
        <button type="button" onClick={() => setDraft({ preset, options })}>
          {table.changeRules}
        </button>
      )}
    </section>
  )
}
