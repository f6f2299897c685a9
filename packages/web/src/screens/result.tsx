import { type GameRecord, type GameView, recordOf, type Seat } from '@junqi/engine'
import type { RoomView } from '@junqi/protocol'
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { arriveAt } from '../app/focus.ts'
import { go } from '../app/location.ts'
import { formatRoute } from '../app/route.ts'
import { words } from '../i18n/i18n.ts'
import { attempt } from '../store/notices.ts'
import { toldSeal } from '../store/told-seals.ts'
import { ActionButton } from './action-button.tsx'
import { headline, winnersOf } from './outcome-words.ts'
import { RecordActions } from './record-actions.tsx'
import { ScoreChanges } from './score-changes.tsx'
import { SealCheck } from './seal-check.tsx'
import { shownRecord } from './shown-record.ts'
import type { RoomProps } from './table.tsx'

type Props = RoomProps & { readonly game: GameView }

/** How the game ended, and what can be done now. */
export function Result({ room, view, game }: Props): JSX.Element | null {
  const { after, home } = words.value
  const { result } = game
  const { rules, history, seal } = view
  const record = useMemo(
    () => recordOfView({ rules, history, seal }, game),
    [rules, history, seal, game],
  )
  const here = useRef<HTMLElement>(null)
  useEffect(() => arriveAt(here.current), [])
  const told = useMemo(() => ({ commitments: toldSeal(room.id), history }), [room, history])
  if (result === null) return null
  // Who has no seat may ask for no rematch, but look on at one that there is.
  const mayGoOn = view.you.seat !== null || view.rematch !== null
  const again = async (): Promise<void> => {
    // Who played asks in any case: when the rematch has closed there is a new one.
    if (view.rematch === null || view.you.seat !== null) await attempt(room.handle.rematch())
    const next = room.state.value?.view.rematch ?? null
    if (next !== null) go({ screen: 'table', room: next, invitation: view.invitation })
  }
  return (
    <section
      ref={here}
      tabIndex={-1}
      class={`result card ${toneOf(view, result.winners)}`}
      data-test="result"
      role="status"
    >
      <h1>{headline(view, result.winners)}</h1>
      <p>
        {winnersOf(result.winners)} · {after.reasons[result.reason]}
      </p>
      <ScoreChanges room={room} view={view} />
      <p class="hint">{after.allShown}</p>
      <SealCheck record={record} told={told} />
      <div class="actions">
        {mayGoOn && (
          <ActionButton class="primary" action={again} data-test="rematch">
            {view.rematch === null ? after.rematch : after.goToRematch}
          </ActionButton>
        )}
        <button
          type="button"
          data-test="replay"
          onClick={() => {
            shownRecord.value = { record, room: room.id }
            go({ screen: 'replay', room: room.id, share: null })
          }}
        >
          {after.replay}
        </button>
        <RecordActions room={room.id} share={null} record={record} />
        <a class="button" href={formatRoute({ screen: 'home' })}>
          {home}
        </a>
      </div>
    </section>
  )
}

function toneOf({ you }: RoomView, winners: readonly Seat[]): string {
  if (winners.length === 0 || you.seat === null) return 'even'
  return winners.includes(you.seat) ? 'good' : 'bad'
}

/** The record of a game that has ended, from all that its last view tells. */
export function recordOfView(
  { rules, history, seal }: Pick<RoomView, 'rules' | 'history' | 'seal'>,
  { formations, first, flip, result }: GameView,
): GameRecord {
  const { preset, options } = rules
  const deployed = Object.entries(formations).filter(([, formation]) => formation !== null)
  const layout = flip?.layout ?? null
  const started = {
    type: 'gameStarted' as const,
    formations: Object.fromEntries(deployed),
    first,
    ...(layout !== null && { layout }),
  }
  const ended = result === null ? [] : [{ type: 'gameEnded' as const, ...result }]
  const record = recordOf({ preset, options }, [started, ...history, ...ended])
  if (seal === null || seal.salts === null) return record
  return { ...record, seal: { commitments: seal.commitments, salts: seal.salts } }
}
