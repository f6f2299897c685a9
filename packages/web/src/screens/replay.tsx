import {
  allianceOf,
  type GameRecord,
  type PerSealed,
  SEATS,
  type Seat,
  type Viewer,
} from '@junqi/engine'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { formatRoute } from '../app/route.ts'
import { isTall } from '../app/window-shape.ts'
import { Board } from '../board/board.tsx'
import { tellStory } from '../board/story.ts'
import { words } from '../i18n/i18n.ts'
import type { GameAddress } from '../store/games.ts'
import { toldSeal } from '../store/told-seals.ts'
import { AboutGame } from './about-game.tsx'
import { winnersOf } from './outcome-words.ts'
import { openedFile, RecordFile } from './record-file.tsx'
import { type Film, filmOf, historyAt, piecesSeen } from './replay-frames.ts'
import { useFile, useGame } from './replay-source.ts'
import { SealCheck } from './seal-check.tsx'
import { drawnPieces, lastShown, sentenceFor, spaceNamer } from './shown-pieces.ts'

/** Steps through a game on the server; `share`: what its member gave away. */
export function Replay(props: GameAddress): JSX.Element {
  const { replay, loading } = words.value
  const game = useGame(props)
  if (game === null) return <p class="waiting">{loading}</p>
  if (!game.ok) return <Missing problem={replay.notFound} detail={null} />
  return (
    <Filmed
      record={game.value}
      told={toldSeal(props.room)}
      about={<AboutGame {...props} record={game.value} />}
    />
  )
}

/** Steps through a file from this computer. */
export function FileReplay(): JSX.Element {
  const { replay, loading } = words.value
  const read = useFile(openedFile.value)
  if (read === null) return <p class="waiting">{loading}</p>
  if (read.ok) return <Filmed record={read.value} told={null} about={<Ending {...read.value} />} />
  return (
    <Missing
      problem={read.error && replay.fileProblems[read.error.code]}
      detail={read.error?.code === 'unreadable' ? read.error.detail : null}
    />
  )
}

/** How the game of a file ended, which is all that a file tells of it beside its moves. */
function Ending({ result }: GameRecord) {
  if (result === null) return null
  return (
    <section class="card" data-test="ending">
      <p>
        {winnersOf(result.winners)} · {words.value.after.reasons[result.reason]}
      </p>
    </section>
  )
}

interface MissingProps {
  /** null: nothing was asked for. */
  readonly problem: string | null
  /** More of it, in English. */
  readonly detail: string | null
}

/** There is nothing to look at. */
function Missing({ problem, detail }: MissingProps) {
  const { replay, home } = words.value
  return (
    <section class="card lost">
      <h1>{replay.title}</h1>
      {problem !== null && <p role="alert">{problem}</p>}
      {detail !== null && (
        <p class="hint" lang="en">
          {detail}
        </p>
      )}
      <RecordFile />
      <a href={formatRoute({ screen: 'home' })}>{home}</a>
    </section>
  )
}

/** Actions a second. */
const SPEEDS = [0.5, 1, 2, 5] as const

interface FilmedProps {
  readonly record: GameRecord
  /** What this browser was told at the start of the game; null: it was not there. */
  readonly told: PerSealed | null
  /** What is known of the game beside its record. */
  readonly about: ComponentChildren
}

function Filmed({ record, told, about }: FilmedProps) {
  const catalogue = words.value
  const { replay, seats } = catalogue
  const film = useMemo(() => filmOf(record), [record])
  const [viewer, setViewer] = useState<Viewer | 'truth'>('truth')
  const [bottom, setBottom] = useState<Seat>(film.ruleSet.seats[0] ?? 'south')
  const memory = useMemo(() => ({ commitments: told, history: null }), [record])
  const steps = usePosition(film)
  const state = film.states[steps.at]
  const story = useMemo(
    () => tellStory(film.ruleSet, record.first, historyAt(film, steps.at)),
    [film, record, steps.at],
  )
  if (state === undefined) return null
  const moved = new Set<never>()
  const pieces = drawnPieces({ pieces: piecesSeen(state, viewer) }, catalogue, {
    marks: {},
    moved: viewer === 'truth' ? moved : story.moved,
  })
  const news = story.news.map((line) => sentenceFor(line, catalogue)).join(' · ')
  return (
    <div class={`play-screen replay ${film.ruleSet.board}`} data-test="replay-viewer">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a click does not take the keys that step to the board. */}
      <div class="board-side" onMouseDown={(event) => event.preventDefault()}>
        <p class={`turn ${state.toMove ?? 'over'}`}>{replay.position(steps.at, steps.last)}</p>
        <Board
          ruleSet={film.ruleSet}
          bottom={bottom}
          isTall={isTall.value}
          label={replay.title}
          pieces={pieces}
          selected={null}
          targets={NOTHING}
          movable={NOTHING}
          last={lastShown(story.lastMove, allianceOf(film.ruleSet, bottom), catalogue)}
          nameOf={spaceNamer(film.ruleSet, { pieces, targets: NOTHING }, catalogue)}
          onTap={() => {}}
          onDrop={() => {}}
        />
        <p class="last-line" aria-live="polite">
          {news === '' ? replay.start : news}
        </p>
      </div>
      <aside class="play-side">
        <section class="card controls">
          <h1>{replay.title}</h1>
          <input
            type="range"
            min="0"
            max={steps.last}
            value={steps.at}
            aria-label={replay.slider}
            data-test="slider"
            onInput={(event) => steps.goTo(event.currentTarget.valueAsNumber)}
          />
          <div class="actions">
            <StepButton to="first" onClick={() => steps.goTo(0)} />
            <StepButton to="previous" onClick={() => steps.goTo(steps.at - 1)} />
            <button type="button" class="primary" onClick={steps.toggle}>
              {steps.isPlaying ? replay.pause : replay.play}
            </button>
            <StepButton to="next" onClick={() => steps.goTo(steps.at + 1)} />
            <StepButton to="last" onClick={() => steps.goTo(steps.last)} />
          </div>
          <p class="hint">{replay.keys}</p>
          <label>
            {replay.speed}
            <select
              value={String(steps.speed)}
              onChange={(event) => steps.setSpeed(Number(event.currentTarget.value))}
            >
              {SPEEDS.map((speed) => (
                <option key={speed} value={String(speed)}>
                  {speed}×
                </option>
              ))}
            </select>
          </label>
          <label>
            {replay.view}
            <select
              value={viewer}
              data-test="viewer"
              onChange={(event) => setViewer(viewerOf(event.currentTarget.value))}
            >
              <option value="truth">{replay.truth}</option>
              {film.ruleSet.seats.map((seat) => (
                <option key={seat} value={seat}>
                  {replay.seenBy(seats[seat])}
                </option>
              ))}
            </select>
          </label>
          <button type="button" onClick={() => setBottom(nextSeat(film, bottom))}>
            {replay.bottom}
          </button>
        </section>
        <section class="card" data-test="seal">
          <SealCheck record={record} told={memory} />
        </section>
        {about}
        <section class="card">
          <RecordFile />
        </section>
      </aside>
    </div>
  )
}

/** Drawn, for not every font has these signs. */
const ARROWS = {
  first: 'M5 5h3v14H5zM20 5v14L9 12z',
  previous: 'M17 5v14L6 12z',
  next: 'M7 5v14l11-7z',
  last: 'M16 5h3v14h-3zM4 5v14l11-7z',
} as const

interface StepButtonProps {
  readonly to: keyof typeof ARROWS
  readonly onClick: () => void
}

function StepButton({ to, onClick }: StepButtonProps) {
  return (
    <button type="button" aria-label={words.value.replay[to]} data-test={to} onClick={onClick}>
      <svg class="arrow" viewBox="0 0 24 24" aria-hidden="true">
        <path d={ARROWS[to]} />
      </svg>
    </button>
  )
}

const NOTHING: ReadonlySet<string> = new Set()

const viewerOf = (value: string): Viewer | 'truth' =>
  SEATS.find((seat) => seat === value) ?? 'truth'

function nextSeat({ ruleSet: { seats } }: Film, seat: Seat): Seat {
  return seats[(seats.indexOf(seat) + 1) % seats.length] ?? seat
}

/** Where in the film one is: by buttons, keys, the slider, or as it plays. */
function usePosition({ states }: Film) {
  const last = states.length - 1
  const [at, setAt] = useState(0)
  const [isPlaying, setPlaying] = useState(false)
  const [speed, setSpeed] = useState<number>(1)
  const goTo = (n: number): void => setAt(Math.min(last, Math.max(0, n)))
  useEffect(() => setAt(0), [states])
  useEffect(() => {
    if (!isPlaying) return
    if (at >= last) return setPlaying(false)
    const timer = setTimeout(() => setAt(at + 1), 1000 / speed)
    return () => clearTimeout(timer)
  }, [isPlaying, at, speed, last])
  const toggle = (): void => {
    if (at >= last) setAt(0)
    setPlaying(!isPlaying)
  }
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const to = STEPS[event.key]
      if (to === undefined || hasOwnKeys(event)) return
      event.preventDefault()
      goTo(to(at, last))
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  })
  return { at, last, goTo, isPlaying, toggle, speed, setSpeed }
}

const STEPS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowRight: (at) => at + 1,
  ArrowLeft: (at) => at - 1,
  PageDown: (at) => at + 1,
  PageUp: (at) => at - 1,
  '.': (at) => at + 1,
  ',': (at) => at - 1,
  Home: () => 0,
  End: (_, last) => last,
}

/** Whether a key means something else: to the browser, where one types or chooses, where one walks the board with it. */
const hasOwnKeys = ({ target, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  altKey ||
  ctrlKey ||
  metaKey ||
  target instanceof HTMLInputElement ||
  target instanceof HTMLSelectElement ||
  target instanceof SVGElement
