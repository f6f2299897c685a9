import { scoresOf } from '@junqi/client'
import { allianceOf, type GameRecord, type GameView, recordOf, type Seat } from '@junqi/engine'
import type { GameScore, RoomView } from '@junqi/protocol'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { go } from '../app/location.ts'
import { formatRoute } from '../app/route.ts'
import { words } from '../i18n/i18n.ts'
import { attempt } from '../store/notices.ts'
import { httpAccess } from '../store/session.ts'
import { winnersOf } from './outcome-words.ts'
import { RecordActions } from './record-actions.tsx'
import { shownRecord } from './shown-record.ts'
import type { RoomProps } from './table.tsx'

type Props = RoomProps & { readonly game: GameView }

/** How the game ended, and what can be done now. */
export function Result({ room, view, game }: Props): JSX.Element | null {
  const { after, home } = words.value
  const { result } = game
  if (result === null) return null
  const record = recordOfView(view, game)
  const again = async (): Promise<void> => {
    if (view.rematch !== null)
      return go({ screen: 'table', room: view.rematch, invitation: view.invitation })
    await attempt(room.handle.rematch())
    const next = room.state.value?.view.rematch ?? null
    if (next !== null) go({ screen: 'table', room: next, invitation: view.invitation })
  }
  return (
    <section class={`result card ${toneOf(view, result.winners)}`} data-test="result" role="status">
      <h1>{headline(view, result.winners)}</h1>
      <p>
        {winnersOf(result.winners)} · {after.reasons[result.reason]}
      </p>
      <ScoreLine room={room} view={view} />
      <p class="hint">{after.allShown}</p>
      <div class="actions">
        <button type="button" class="primary" onClick={again} data-test="rematch">
          {view.rematch === null ? after.rematch : after.goToRematch}
        </button>
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

/** How often the score of a game is asked for before it is settled, and how long between. */
const SCORE_TRIES = 5
const SCORE_PAUSE_MS = 1500

/** What the game did to the own score; nothing where it was not scored. */
function ScoreLine({ room, view }: Pick<Props, 'room' | 'view'>) {
  const { after } = words.value
  const [score, setScore] = useState<GameScore | null>(null)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    if (score?.settled === true || tries >= SCORE_TRIES) return
    const timer = setTimeout(
      async () => {
        const told = await scoresOf(httpAccess()).game(room.id)
        if (told.ok) setScore(told.value)
        setTries(tries + 1)
      },
      tries === 0 ? 0 : SCORE_PAUSE_MS,
    )
    return () => clearTimeout(timer)
  }, [room, score, tries])
  const mine = view.you.seat === null ? undefined : score?.seats[view.you.seat]
  if (mine === undefined) return null
  const delta = mine.delta > 0 ? `+${mine.delta}` : String(mine.delta)
  return <p data-test="score">{after.score(delta, mine.score, mine.title)}</p>
}

function headline({ you, rules }: RoomView, winners: readonly Seat[]): string {
  const { after } = words.value
  if (winners.length === 0) return after.draw
  if (you.seat === null) return after.over
  return allianceOf(rules.ruleSet, you.seat).some((seat) => winners.includes(seat))
    ? after.won
    : after.lost
}

function toneOf({ you }: RoomView, winners: readonly Seat[]): string {
  if (winners.length === 0 || you.seat === null) return 'even'
  return winners.includes(you.seat) ? 'good' : 'bad'
}

/** The record of a game that has ended, from all that its last view tells. */
export function recordOfView(
  { rules, history }: Pick<RoomView, 'rules' | 'history'>,
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
  return recordOf({ preset, options }, [started, ...history, ...ended])
}
