import {
  allianceOf,
  allyOf,
  type GameView,
  PIECE_KINDS,
  type PieceId,
  type Seat,
  type SpaceId,
  seatOfPiece,
} from '@junqi/engine'
import type { RoomView } from '@junqi/protocol'
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { secondsUntil, serverTime } from '../app/clock.ts'
import { useLentFocus } from '../app/focus.ts'
import { isTall } from '../app/window-shape.ts'
import { Board } from '../board/board.tsx'
import { sideOf } from '../board/layout.ts'
import { SeatToken } from '../board/seat-token.tsx'
import { type Story, tellStory } from '../board/story.ts'
import { titleNews, words } from '../i18n/i18n.ts'
import { type Mark, MarkBook } from '../marks/marks.ts'
import { play as playSound } from '../sound/sound.ts'
import { attempt } from '../store/notices.ts'
import { keepSeal } from '../store/told-seals.ts'
import { ActionButton } from './action-button.tsx'
import { newsOf } from './outcome-words.ts'
import { nameOf, PlayerName } from './player-name.tsx'
import { PlayerTitle } from './player-title.tsx'
import { Result } from './result.tsx'
import { drawnPieces, lastShown, newsFor, sentenceFor, spaceNamer, spoken } from './shown-pieces.ts'
import { wordForSpectators } from './spectators-field.tsx'
import type { RoomProps } from './table.tsx'
import { Talk } from './talk.tsx'
import { whyFriendly } from './why-friendly.ts'

const NO_MOVES: readonly SpaceId[] = []

/** A running game, and the board after its end. */
export function Play({ room, view, me }: RoomProps): JSX.Element | null {
  const { game } = view
  if (game === null) return null
  return <Game room={room} view={view} me={me} game={game} />
}

type GameProps = RoomProps & { readonly game: GameView }

function Game({ room, view, me, game }: GameProps) {
  const catalogue = words.value
  const { ruleSet } = view.rules
  const seat = view.you.seat
  const bottom = seat ?? ruleSet.seats[0] ?? 'south'
  const book = useMemo(() => new MarkBook(room.id), [room])
  const story = useMemo(
    () => tellStory(ruleSet, game.first, view.history),
    [ruleSet, game.first, view.history],
  )
  const [selected, setSelected] = useState<SpaceId | null>(null)
  const [asked, setAsked] = useState<SpaceId | null>(null)
  const pieces = drawnPieces(game, catalogue, { marks: book.marks.value, moved: story.moved })
  const isMyTurn = seat !== null && game.toMove === seat
  const movable = useMemo(() => new Set(Object.keys(view.legalMoves)), [view.legalMoves])
  const targets = new Set(selected === null ? NO_MOVES : (view.legalMoves[selected] ?? NO_MOVES))
  useEffect(() => {
    if (isMyTurn) playSound('turn')
  }, [isMyTurn])
  const news = newsOf(view, game)
  useEffect(() => {
    titleNews.value = news
    return () => {
      titleNews.value = null
    }
  }, [news])
  useEffect(() => {
    // What is told together with what opens it shows nothing.
    if (view.seal?.salts === null) keepSeal(room.id, view.seal.commitments)
  }, [room, view.seal])
  useEffect(() => {
    if (selected !== null && !movable.has(selected)) setSelected(null)
    if (asked !== null && !pieces.has(asked)) setAsked(null)
  })

  const move = (from: SpaceId, to: SpaceId): void => {
    setSelected(null)
    attempt(room.handle.move(from, to))
  }
  const askAbout = (space: SpaceId): boolean => {
    const piece = pieces.get(space)
    const isHidden = piece !== undefined && piece.kind === null && piece.suit !== 'down'
    if (isHidden) setAsked(space)
    return isHidden
  }
  const tap = (space: SpaceId): void => {
    setAsked(null)
    if (selected !== null && targets.has(space) && isMyTurn) move(selected, space)
    else if (movable.has(space)) setSelected(space === selected ? null : space)
    else if (isMyTurn && view.flips?.includes(space)) attempt(room.handle.flip(space))
    else {
      setSelected(null)
      askAbout(space)
    }
  }
  const drop = (from: SpaceId, to: SpaceId): void => {
    if (isMyTurn && view.legalMoves[from]?.includes(to)) move(from, to)
    else setSelected(from)
  }
  const friends = allianceOf(ruleSet, bottom)
  return (
    <div class={`play-screen ${ruleSet.board}`} data-test="play">
      {view.phase === 'playing' && (
        <h1 class="visually-hidden">{catalogue.presets[view.rules.preset]}</h1>
      )}
      <div class="board-side">
        <TurnLine view={view} game={game} />
        <Board
          ruleSet={ruleSet}
          bottom={bottom}
          isTall={isTall.value}
          label={catalogue.play.board}
          pieces={pieces}
          selected={selected}
          targets={targets}
          movable={movable}
          last={lastShown(story.lastMove, friends, catalogue)}
          nameOf={spaceNamer(ruleSet, { pieces, targets }, catalogue)}
          onTap={tap}
          onDrop={drop}
          onAsk={askAbout}
        />
        <LastLine view={view} game={game} story={story} />
      </div>
      <aside class="play-side">
        {view.phase === 'finished' && <Result room={room} view={view} me={me} game={game} />}
        {asked !== null && (
          <MarkChooser
            key={asked}
            space={asked}
            piece={game.pieces.find(({ space }) => space === asked)?.id ?? null}
            book={book}
            onDone={() => setAsked(null)}
          />
        )}
        <Offer room={room} game={game} seat={seat} />
        <ul class="players" aria-label={catalogue.play.players}>
          {ruleSet.seats.map((each) => (
            <PlayerLine
              key={each}
              seat={each}
              view={view}
              game={game}
              story={story}
              bottom={bottom}
            />
          ))}
        </ul>
        {view.phase === 'playing' && <Limits view={view} game={game} />}
        {view.phase === 'playing' && seat !== null && game.seats[seat]?.out === null && (
          <GameActions room={room} view={view} game={game} seat={seat} />
        )}
        <Talk room={room} view={view} />
        <Log story={story} />
      </aside>
    </div>
  )
}

function TurnLine({ view, game }: { readonly view: RoomView; readonly game: GameView }) {
  const { play, seats, after, table } = words.value
  const { toMove } = game
  if (toMove === null) return <p class="turn over">{after.over}</p>
  const isMine = toMove === view.you.seat
  const who = [seats[toMove], nameIn(view, toMove)].join(' ')
  return (
    <p class={`turn ${toMove} ${isMine ? 'mine' : ''}`} role="status" data-test="turn">
      {isMine ? play.yourTurn : play.turnOf(who)}
      {view.you.seat === null && (
        <span class="tag">
          {table.spectator}
          {view.spectators.mode === 'delayed' && ` · ${wordForSpectators(view.spectators)}`}
        </span>
      )}
    </p>
  )
}

/** Who sits there. */
function nameIn({ seats }: RoomView, seat: Seat): string {
  const occupant = seats[seat]
  return occupant === null ? '' : nameOf(occupant.player)
}

type LastLineProps = Pick<GameProps, 'view' | 'game'> & { readonly story: Story }

function LastLine({ view, game, story }: LastLineProps) {
  const { seat } = view.you
  const own = {
    ruleSet: view.rules.ruleSet,
    seat,
    formation: seat === null ? null : game.formations[seat],
  }
  const sentences = newsFor(story, own, words.value)
  return (
    <p class="last-line" aria-live="polite" aria-atomic="true" data-test="last-line">
      {sentences.length === 0 ? ' ' : sentences.join(' · ')}
    </p>
  )
}

interface PlayerProps {
  readonly seat: Seat
  readonly view: RoomView
  readonly game: GameView
  readonly story: Story
  readonly bottom: Seat
}

function PlayerLine({ seat, view, game, story, bottom }: PlayerProps) {
  const { seats, play, table, you, colours, deploy } = words.value
  const { ruleSet } = view.rules
  const own = view.you.seat
  const isAlly = own !== null && allyOf(ruleSet, own) === seat
  const occupant = view.seats[seat]
  const stand = game.seats[seat]
  const isToMove = game.toMove === seat
  const colour = game.flip?.colours?.[seat]
  return (
    <li
      class={`player ${seat} ${sideOf(seat, bottom)} ${isToMove ? 'to-move' : ''} ${stand?.out != null ? 'out' : ''}`}
      aria-current={isToMove ? 'true' : undefined}
    >
      <SeatToken ruleSet={ruleSet} seat={seat} />
      <div>
        <strong>
          {seats[seat]} {occupant !== null && <PlayerName player={occupant.player} isAside />}
          {seat === view.you.seat && ` (${you})`}
        </strong>
        <span class="facts">
          {isAlly && <span class="tag">{deploy.ally}</span>}
          {occupant !== null && <PlayerTitle player={occupant.player} />}
          {colour !== undefined && <span class={`colour ${colour}`}>{colours[colour]}</span>}
          {game.flip?.colours === null && <span class="tag">{play.noColour}</span>}
          {isKnown(game, seat) && play.pieces(piecesLeft(game, seat))}
          {stand != null && stand.timeouts > 0 && (
            <span class="tag warn">{play.timeouts(stand.timeouts, ruleSet.timeoutForfeit)}</span>
          )}
          {stand?.out != null && (
            <span class="tag">
              {play.out}: {play.outReasons[stand.out]}
            </span>
          )}
          {occupant?.goneSince != null && <Gone since={occupant.goneSince} label={table.goneFor} />}
          {occupant != null && ruleSet.bankSeconds > 0 && (
            <span class="tag">{play.bank(Math.floor(occupant.bankMs / 1000))}</span>
          )}
        </span>
      </div>
      {isToMove && <Ring until={view.until} seconds={ruleSet.turnSeconds + bankOf(view, seat)} />}
      <span class="visually-hidden">{story.lost[seat]}</span>
    </li>
  )
}

/** Whether it is known which pieces are the seat's. */
const isKnown = ({ flip }: GameView, seat: Seat): boolean =>
  flip === undefined || flip.colours?.[seat] !== undefined

/** How many pieces of a seat are on the board, face-down ones too. */
function piecesLeft({ flip, pieces }: GameView, seat: Seat): number {
  if (flip === undefined) return pieces.filter(({ id }) => seatOfPiece(id) === seat).length
  const colour = flip.colours?.[seat]
  return colour === undefined ? 0 : ARMY - flip.removed[colour].length
}

/** Pieces of an army (RULES.md, Words). */
const ARMY = 25

const bankOf = ({ seats }: RoomView, seat: Seat): number => (seats[seat]?.bankMs ?? 0) / 1000

function Gone({ since, label }: { readonly since: number; readonly label: (s: number) => string }) {
  const now = serverTime.value
  return <span class="tag warn">{label(now === null ? 0 : secondsUntil(now, since))}</span>
}

/** How much of a turn is left, as a ring and a number. */
function Ring({ until, seconds }: { readonly until: number | null; readonly seconds: number }) {
  const now = serverTime.value
  if (until === null || now === null) return null
  const left = secondsUntil(until, now)
  const share = Math.min(1, Math.max(0, (until - now) / (seconds * 1000)))
  const around = 2 * Math.PI * 20
  return (
    <span
      class={`ring ${left <= 10 ? 'late' : ''}`}
      role="timer"
      aria-label={words.value.play.secondsLeft(left)}
    >
      <svg viewBox="0 0 48 48" aria-hidden="true">
        <circle cx="24" cy="24" r="20" />
        <circle
          class="share"
          cx="24"
          cy="24"
          r="20"
          stroke-dasharray={`${around * share} ${around}`}
          transform="rotate(-90 24 24)"
        />
        <text x="24" y="25">
          {left}
        </text>
      </svg>
    </span>
  )
}

function Limits({ view, game }: { readonly view: RoomView; readonly game: GameView }) {
  const { play, rules } = words.value
  const { quietMoveLimit } = view.rules.ruleSet
  const friendly = whyFriendly(view)
  return (
    <p class="limits" data-test="limits">
      {play.moves(game.moves)}
      {quietMoveLimit !== null && ` · ${play.quiet(quietMoveLimit - game.quiet)}`}
      {friendly !== null && ` · ${rules.friendly[friendly]}`}
    </p>
  )
}

interface OfferProps {
  readonly room: RoomProps['room']
  readonly game: GameView
  readonly seat: Seat | null
}

function Offer({ room, game, seat }: OfferProps) {
  const { play, seats, yes, no } = words.value
  const { offer } = game
  if (offer === null) return null
  const mayAnswer =
    seat !== null &&
    game.seats[seat]?.out === null &&
    offer.by !== seat &&
    !offer.accepted.includes(seat)
  return (
    <div class="ask" role="alert" data-test="offer">
      <p>{offer.by === seat ? play.yourOffer : play.drawOffered(seats[offer.by])}</p>
      {mayAnswer && (
        <p class="actions">
          <ActionButton
            class="primary"
            action={() => attempt(room.handle.answerDraw(offer.number, true))}
          >
            {yes}
          </ActionButton>
          <ActionButton action={() => attempt(room.handle.answerDraw(offer.number, false))}>
            {no}
          </ActionButton>
        </p>
      )}
      {!mayAnswer && offer.by !== seat && seat !== null && <p>{play.answered}</p>}
    </div>
  )
}

type ActionsProps = Omit<RoomProps, 'me'> & { readonly game: GameView; readonly seat: Seat }

function GameActions({ room, view, game, seat }: ActionsProps) {
  const { play } = words.value
  const { resignFromMove } = view.rules.ruleSet
  const isEarly = game.moves < resignFromMove
  return (
    <div class="actions">
      <ActionButton disabled={game.offer !== null} action={() => attempt(room.handle.offerDraw())}>
        {play.offerDraw}
      </ActionButton>
      <Confirmed
        label={play.resign}
        question={play.resignSure}
        isDisabled={isEarly || game.toMove !== seat}
        onYes={() => attempt(room.handle.resign())}
      />
      <Confirmed
        label={play.leaveGame}
        question={play.leaveSure}
        isDisabled={false}
        onYes={() => attempt(room.handle.leave())}
      />
      {isEarly && <small>{play.resignFrom(resignFromMove)}</small>}
      {!isEarly && game.toMove !== seat && <small>{play.resignTurn}</small>}
    </div>
  )
}

interface ConfirmedProps {
  readonly label: string
  readonly question: string
  readonly isDisabled: boolean
  readonly onYes: () => void
}

/** A button that asks once more; the dialog takes the focus and gives it back, and Escape closes it. */
function Confirmed({ label, question, isDisabled, onYes }: ConfirmedProps) {
  const { cancel } = words.value
  const dialog = useRef<HTMLDialogElement>(null)
  const close = (): void => dialog.current?.close()
  useEffect(() => {
    if (isDisabled) close()
  }, [isDisabled])
  return (
    <>
      <button type="button" disabled={isDisabled} onClick={() => dialog.current?.showModal()}>
        {label}
      </button>
      <dialog ref={dialog} class="confirm" role="alertdialog" aria-label={question}>
        <p>{question}</p>
        <div class="actions">
          <button type="button" onClick={close}>
            {cancel}
          </button>
          <button
            type="button"
            class="danger"
            onClick={() => {
              close()
              onYes()
            }}
          >
            {label}
          </button>
        </div>
      </dialog>
    </>
  )
}

interface MarkProps {
  readonly space: SpaceId
  readonly piece: PieceId | null
  readonly book: MarkBook
  readonly onDone: () => void
}

/** The player's own guess about a hidden piece. */
function MarkChooser({ space, piece, book, onDone }: MarkProps) {
  const { play, faces, close } = words.value
  const here = useRef<HTMLElement>(null)
  useLentFocus(here, `[data-space="${space}"]`)
  if (piece === null) return null
  const set = (mark: Mark | null): void => {
    book.set(piece, mark)
    onDone()
  }
  const present = book.marks.value[piece]
  return (
    <section
      ref={here}
      class="marks card"
      aria-label={play.marks}
      data-test="marks"
      onKeyDown={({ key }) => key === 'Escape' && onDone()}
    >
      <header class="line">
        <h2>{play.marks}</h2>
        <button type="button" class="quiet" aria-label={close} onClick={onDone}>
          ×
        </button>
      </header>
      <div class="choices">
        {PIECE_KINDS.map((kind) => (
          <button
            type="button"
            key={kind}
            aria-label={spoken(kind, words.value)}
            aria-pressed={present === kind}
            onClick={() => set(kind)}
          >
            {faces[kind]}
          </button>
        ))}
        <button
          type="button"
          aria-pressed={present === 'notLandmine'}
          onClick={() => set('notLandmine')}
        >
          {play.markNotLandmine}
        </button>
        <button type="button" class="quiet" onClick={() => set(null)}>
          {play.markNothing}
        </button>
      </div>
    </section>
  )
}

/** How many lines of the past are shown. */
const LOGGED = 60

function Log({ story }: { readonly story: Story }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="log" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{words.value.play.log}</summary>
      {isOpen && <Lines story={story} />}
    </details>
  )
}

function Lines({ story }: { readonly story: Story }) {
  const catalogue = words.value
  const lines = story.lines.slice(-LOGGED)
  const first = story.lines.length - lines.length
  return (
    <ol reversed>
      {lines.map((line, i) => <li key={first + i}>{sentenceFor(line, catalogue)}</li>).reverse()}
    </ol>
  )
}
