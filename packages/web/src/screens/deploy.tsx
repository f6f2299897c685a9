import {
  allyOf,
  type Formation,
  mirrorFormation,
  placeKind,
  type RuleSet,
  randomFormation,
  type Seat,
  TERRITORY_PLACES,
  type TerritoryPlace,
} from '@junqi/engine'
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { secondsUntil, serverTime } from '../app/clock.ts'
import { random } from '../app/random.ts'
import { formOf, outline } from '../board/emblem.ts'
import { SeatToken } from '../board/seat-token.tsx'
import { kindAt, placesFor, swapPlaces } from '../deploy/formation-edit.ts'
import { words } from '../i18n/i18n.ts'
import { attempt, notify } from '../store/notices.ts'
import { ActionButton } from './action-button.tsx'
import { HelpLink } from './help-link.tsx'
import { MarkedName } from './player-name.tsx'
import { Shelf } from './shelf.tsx'
import { spoken } from './shown-pieces.ts'
import type { RoomProps } from './table.tsx'
import { Talk } from './talk.tsx'

/** Everyone lays out the own army in secret. */
export function Deploy({ room, view, me }: RoomProps): JSX.Element {
  const { deploy, table } = words.value
  const { seat } = view.you
  return (
    <div class="deploy-screen">
      <div>
        <header class="line">
          <h1>{deploy.title}</h1>
          <HelpLink />
          <TimeLeft until={view.until} />
        </header>
        {seat === null ? (
          <p class="hint">{table.spectator}</p>
        ) : (
          <Editor room={room} view={view} me={me} seat={seat} />
        )}
      </div>
      <aside>
        <Others view={view} room={room} me={me} />
        <Talk room={room} view={view} />
      </aside>
    </div>
  )
}

function TimeLeft({ until }: { readonly until: number | null }) {
  const now = serverTime.value
  if (until === null || now === null) return null
  return <p class="time-left">{words.value.deploy.left(secondsUntil(until, now))}</p>
}

function Others({ view }: RoomProps) {
  const { deploy, seats } = words.value
  const own = view.you.seat
  const ally = own === null ? null : allyOf(view.rules.ruleSet, own)
  return (
    <ul class="others" aria-label={deploy.others}>
      {view.rules.ruleSet.seats.map((seat) => {
        const occupant = view.seats[seat]
        if (occupant === null || seat === view.you.seat) return null
        return (
          <li key={seat}>
            <SeatToken ruleSet={view.rules.ruleSet} seat={seat} />
            {seats[seat]} <MarkedName player={occupant.player} />
            {seat === ally && <span class="tag">{deploy.ally}</span>}
            <span class={`tag ${occupant.ready ? 'yes' : ''}`}>
              {occupant.ready ? deploy.done : deploy.busy}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

type EditorProps = RoomProps & { readonly seat: Seat }

function Editor({ room, view, seat }: EditorProps) {
  const { deploy } = words.value
  const { ruleSet } = view.rules
  const isReady = view.seats[seat]?.ready === true
  const [formation, setFormation] = useFormation(ruleSet, view.you.draft, (draft) =>
    room.handle.saveDraft(draft),
  )
  return (
    <section class="editor">
      <p class="hint">{isReady ? deploy.youAreReady : deploy.hint}</p>
      <Territory
        ruleSet={ruleSet}
        seat={seat}
        formation={formation}
        isLocked={isReady}
        onChange={setFormation}
      />
      <div class="actions">
        {isReady ? (
          <ActionButton data-test="not-ready" action={() => attempt(room.handle.notReady())}>
            {deploy.notReady}
          </ActionButton>
        ) : (
          <>
            <button type="button" onClick={() => setFormation(randomFormation(ruleSet, random))}>
              {deploy.shuffle}
            </button>
            <button type="button" onClick={() => setFormation(mirrorFormation(formation))}>
              {deploy.mirror}
            </button>
            <ActionButton
              class="primary"
              data-test="submit"
              action={() => attempt(room.handle.submitFormation(formation))}
            >
              {deploy.ready}
            </ActionButton>
          </>
        )}
      </div>
      {!isReady && <Shelf rules={view.rules} formation={formation} onLoad={setFormation} />}
    </section>
  )
}

/** The formation that is shown: what the server has, else a random one; what is changed here is told to it at once. */
function useFormation(
  ruleSet: RuleSet,
  draft: Formation | null,
  save: (formation: Formation) => Promise<unknown>,
): readonly [Formation, (formation: Formation) => void] {
  const [own, setOwn] = useState<Formation>(() => draft ?? randomFormation(ruleSet, random))
  const onTheirWay = useRef(0)
  // Another tab of the same player, or this one before it was loaded anew, has saved a draft.
  useEffect(() => {
    if (draft !== null && onTheirWay.current === 0) setOwn(draft)
  }, [draft])
  const tell = async (formation: Formation): Promise<void> => {
    onTheirWay.current++
    await save(formation)
    onTheirWay.current--
  }
  useEffect(() => {
    if (draft === null) tell(own)
  }, [])
  const change = (formation: Formation): void => {
    setOwn(formation)
    tell(formation)
  }
  return [own, change]
}

interface TerritoryProps {
  readonly ruleSet: RuleSet
  readonly seat: Seat
  readonly formation: Formation
  readonly isLocked: boolean
  readonly onChange: (formation: Formation) => void
}

const isSame = (one: TerritoryPlace | null, other: TerritoryPlace): boolean =>
  one?.row === other.row && one.column === other.column

/** The own territory, large, to lay the army out on. */
function Territory({ ruleSet, seat, formation, isLocked, onChange }: TerritoryProps) {
  const { deploy, faces, spaceKinds } = words.value
  const [chosen, setChosen] = useState<TerritoryPlace | null>(null)
  /** The one place that the tabulator stops at; from there the arrow keys lead to the others. */
  const [cursor, setCursor] = useState<TerritoryPlace | null>(TERRITORY_PLACES[0] ?? null)
  const dragged = useRef<TerritoryPlace | null>(null)
  const allowed = chosen === null ? [] : placesFor(ruleSet, formation, chosen)
  const swap = (one: TerritoryPlace, other: TerritoryPlace): void => {
    setChosen(null)
    if (isSame(one, other)) return
    const swapped = swapPlaces(ruleSet, formation, [one, other])
    if ('problem' in swapped) notify(deploy[swapped.problem])
    else onChange(swapped.formation)
  }
  const tap = (place: TerritoryPlace): void => {
    if (chosen !== null) swap(chosen, place)
    else if (placeKind(place) !== 'camp') setChosen(place)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a grid.
    <div
      class={`territory-grid ${seat} ${isLocked ? 'locked' : ''}`}
      role="group"
      aria-label={deploy.title}
    >
      {TERRITORY_PLACES.map((place) => {
        const kind = kindAt(formation, place)
        const where = placeKind(place)
        const label = `${kind === null ? spaceKinds[where] : spoken(kind, words.value)} · ${deploy.place(place.row, place.column)}`
        const isChosen = isSame(chosen, place)
        const isAllowed = allowed.some((other) => isSame(other, place))
        return (
          <button
            type="button"
            key={`${place.row},${place.column}`}
            data-place={`${place.row},${place.column}`}
            class={`place ${where} ${isChosen ? 'chosen' : ''} ${chosen !== null && isAllowed ? 'allowed' : ''}`}
            aria-label={label}
            aria-pressed={isChosen}
            disabled={isLocked}
            tabIndex={isSame(cursor, place) ? 0 : -1}
            onFocus={() => setCursor(place)}
            onKeyDown={(event) => moveFocus(event, place)}
            onPointerDown={() => {
              dragged.current = place
            }}
            onPointerMove={(event) => {
              if (
                dragged.current !== null &&
                event.buttons === 1 &&
                !isSame(dragged.current, place)
              ) {
                event.preventDefault()
              }
            }}
            onPointerUp={(event) => {
              const over = placeUnder(event)
              const from = dragged.current
              dragged.current = null
              if (from !== null && over !== null && !isSame(from, over)) swap(from, over)
            }}
            onClick={() => tap(place)}
          >
            {kind !== null && (
              <svg viewBox="-39 -26 78 52" aria-hidden="true">
                <path class={`body ${seat}`} d={outline(formOf(ruleSet, seat), 74, 48)} />
                <text class="word" font-size={faces[kind].length > 2 ? 22 : 25}>
                  {faces[kind]}
                </text>
              </svg>
            )}
          </button>
        )
      })}
    </div>
  )
}

/** Where the finger or the mouse is, whatever it was pressed on. */
function placeUnder({ clientX, clientY }: PointerEvent): TerritoryPlace | null {
  const under = document.elementFromPoint(clientX, clientY)?.closest('[data-place]')
  const [row, column] = (under?.getAttribute('data-place') ?? '').split(',').map(Number)
  return row === undefined || column === undefined ? null : { row, column }
}

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

function moveFocus(event: KeyboardEvent, { row, column }: TerritoryPlace): void {
  const step = STEPS[event.key]
  if (step === undefined || !(event.currentTarget instanceof Element)) return
  event.preventDefault()
  const next = `[data-place="${row + step[0]},${column + step[1]}"]`
  event.currentTarget.parentElement?.querySelector<HTMLElement>(next)?.focus()
}
