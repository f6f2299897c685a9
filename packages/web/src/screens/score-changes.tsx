import { scoresOf } from '@junqi/client'
import { SEATS } from '@junqi/engine'
import type { RoomView, SeatScores } from '@junqi/protocol'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { words } from '../i18n/i18n.ts'
import type { OpenRoom } from '../store/room.ts'
import { httpAccess } from '../store/session.ts'
import { formatChange, formatRating, formatRatingChange, formatScore } from './numbers.ts'
import { PlayerName } from './player-name.tsx'
import { whyFriendly } from './why-friendly.ts'

interface Props {
  readonly room: OpenRoom
  readonly view: RoomView
}

/** What the game did to the scores and ratings of its players, or that it did nothing. */
export function ScoreChanges({ room, view }: Props): JSX.Element | null {
  const { after, boards, titles, rules } = words.value
  const told = useScores(room)
  if (told === 'unknown') return null
  if (told === 'friendly') {
    return <p class="hint">{after.friendly(rules.friendly[whyFriendly(view) ?? 'none'])}</p>
  }
  return (
    <table class="figures" data-test="scores">
      <thead>
        <tr>
          <th scope="col">{boards.player}</th>
          <th scope="col">{boards.score}</th>
          <th scope="col">{boards.titleOf}</th>
          <th scope="col">{boards.ratingShort}</th>
        </tr>
      </thead>
      <tbody>
        {SEATS.map((seat) => {
          const change = told[seat]
          const player = view.seats[seat]?.player
          if (change === undefined || player === undefined) return null
          const { delta, score, title, rating, ratingDelta } = change
          return (
            <tr key={seat} aria-current={seat === view.you.seat ? 'true' : undefined}>
              <td>
                <PlayerName player={player} />
              </td>
              <td>
                {formatScore(score)} <Change value={delta} text={formatChange(delta)} />
              </td>
              <td>{titles[title]}</td>
              <td>
                {formatRating(rating.ordinal)}{' '}
                <Change value={ratingDelta} text={formatRatingChange(ratingDelta)} />
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

const Change = ({ value, text }: { readonly value: number; readonly text: string }) => (
  <b class={value > 0 ? 'up' : value < 0 ? 'down' : ''}>{text}</b>
)

/** How often the scores of a game are asked for before they are settled, and how long between. */
const TRIES = 5
const PAUSE_MS = 1500

/** Who looks on when the game is scored is told; who comes later asks. */
function useScores(room: OpenRoom): SeatScores | 'unknown' | 'friendly' {
  const [asked, setAsked] = useState<SeatScores | 'unknown' | 'friendly'>('unknown')
  const [tries, setTries] = useState(0)
  const told = room.scores.value
  const isKnown = told !== null || asked !== 'unknown'
  useEffect(() => {
    if (isKnown || tries >= TRIES) return
    const timer = setTimeout(
      async () => {
        const answer = await scoresOf(httpAccess()).game(room.id)
        if (answer.ok && answer.value.settled) {
          setAsked(answer.value.scored ? answer.value.seats : 'friendly')
        }
        setTries(tries + 1)
      },
      tries === 0 ? 0 : PAUSE_MS,
    )
    return () => clearTimeout(timer)
  }, [room, isKnown, tries])
  return told ?? asked
}
