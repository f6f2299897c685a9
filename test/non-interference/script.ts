import {
  applyCommand,
  boardOf,
  type EndReason,
  evolve,
  type GameCommand,
  type GameEvent,
  type GameState,
  invariant,
  legalFlips,
  legalMoves,
  type Move,
  newGame,
  type PublicEvent,
  type RuleSet,
  type Seat,
  seatsIn,
} from '@junqi/engine'
import { type Bots, botCommand, publicIn } from './bots.ts'
import { type Ending, towards } from './ending.ts'
import { below, chance, pick, type Random } from './random.ts'
import type { Setup } from './setup.ts'

/** One thing done in a game, and how long it was waited before. */
export interface Act {
  readonly command: ScriptedCommand
  readonly pauseMs: number
  /** The game before it. */
  readonly before: GameState
  /** What it led to. */
  readonly events: readonly GameEvent[]
}

/** Everything but `draw agreed`, which only records say. */
export type ScriptedCommand = Exclude<GameCommand, { type: 'agreeDraw' }>

/** A game up to a cut before its end, or to its end. */
export interface Script extends Start {
  readonly acts: readonly Act[]
}

/** How a game begins. */
export interface Start {
  readonly ruleSet: RuleSet
  readonly setup: Setup
  readonly first: Seat
}

export const startOf = ({ ruleSet, setup, first }: Start): GameState =>
  newGame(ruleSet, { type: 'gameStarted', ...setup, first })

/** How often this and that happens in a game. */
export interface Temper {
  readonly acts: number
  readonly attack: number
  readonly timeout: number
  readonly resign: number
  readonly leave: number
  readonly offer: number
  /** Acts before which the game does not end; null: it never does. */
  readonly endsFrom: number | null
  /** Who plays by its own head; nobody unless it says otherwise. */
  readonly bots?: Bots
}

/** Acts after which a game has gone on for long enough: those who are to lose leave. */
const PATIENCE = 110

/** The script, and how it goes on to the end of the game: in this way, unless that takes too long or is not to be had. */
export function playToEnd(script: Script, ending: Ending, random: Random): Script {
  const acts = [...script.acts]
  let state = acts.reduce((_, act) => stateAfter(act), startOf(script))
  for (let n = 0; state.result === null; n++) {
    const way = n < PATIENCE ? ending : 'leave'
    const command =
      towards(way, state, random) ??
      (state.toMove === null ? null : { type: 'timeout' as const, seat: state.toMove })
    invariant(command !== null, 'a game that has not ended goes on')
    const applied = applyCommand(state, command)
    invariant(applied.ok, `${JSON.stringify(command)} leads to an end`)
    acts.push({ command, pauseMs: 0, before: state, events: applied.value.events })
    state = applied.value.state
  }
  return { ...script, acts }
}

const stateAfter = ({ before, events }: Act): GameState => events.reduce(evolve, before)

/** Why the game ended; null: the script is cut before. */
export function endOf({ acts }: Script): EndReason | null {
  const ended = acts.at(-1)?.events.find((event) => event.type === 'gameEnded')
  return ended?.reason ?? null
}

/** Plays at random, fond of attacks; nothing is done that would end the game too early. */
export function playScript(start: Start, temper: Temper, random: Random): Script {
  const acts: Act[] = []
  const history: PublicEvent[] = []
  let state = startOf(start)
  while (acts.length < temper.acts) {
    const { endsFrom } = temper
    const mayEnd = endsFrom !== null && acts.length >= endsFrom
    const done = nextAct(state, { ...temper, mayEnd, history }, random)
    if (done === null) break
    acts.push(done.act)
    history.push(...publicIn(done.act.events))
    state = done.after
    if (state.result !== null) break
  }
  return { ...start, acts }
}

const TRIES = 6

interface Course extends Temper {
  readonly mayEnd: boolean
  readonly history: readonly PublicEvent[]
}

function nextAct(state: GameState, course: Course, random: Random): Done | null {
  const command = botCommand(course.bots ?? {}, state, course.history)
  if (command !== null) return done(state, command, { ...course, random })
  for (let n = 0; n < TRIES; n++) {
    const command = chooseCommand(state, course, random)
    const act = command && done(state, command, { ...course, random })
    if (act !== null) return act
  }
  return null
}

interface Done {
  readonly act: Act
  readonly after: GameState
}

/** null: it is refused, or would end the game too early. */
function done(
  state: GameState,
  command: ScriptedCommand,
  { mayEnd, random }: { readonly mayEnd: boolean; readonly random: Random },
): Done | null {
  const applied = applyCommand(state, command)
  if (!applied.ok || (applied.value.state.result !== null && !mayEnd)) return null
  const turnMs = state.ruleSet.turnSeconds * 1000
  const pauseMs = chance(random, 0.5) ? 0 : below(random, turnMs * 0.9)
  const act = { command, pauseMs, before: state, events: applied.value.events }
  return { act, after: applied.value.state }
}

function chooseCommand(state: GameState, temper: Temper, random: Random): ScriptedCommand | null {
  const seat = state.toMove
  const seats = seatsIn(state.seats).filter((one) => temper.bots?.[one] === undefined)
  const someone = pick(random, seats)
  if (seat === null || someone === undefined) return null
  const { offer } = state
  if (offer !== null && chance(random, 0.4)) {
    const accept = chance(random, 0.7)
    return { type: 'answerDraw', seat: someone, offer: offer.number, accept }
  }
  if (chance(random, temper.offer)) return { type: 'offerDraw', seat: someone }
  if (chance(random, temper.leave)) return { type: 'leave', seat: someone }
  if (chance(random, temper.resign)) return { type: 'resign', seat }
  if (chance(random, temper.timeout)) return { type: 'timeout', seat }
  const flip = state.flip && chooseFlip(state, seat, random)
  if (flip !== null) return flip
  const move = chooseMove(state, seat, { attack: temper.attack, random })
  return move && { type: 'movePiece', seat, ...move }
}

/** In a flip game: always, as long as nothing may be moved, and now and then. */
function chooseFlip(state: GameState, seat: Seat, random: Random): ScriptedCommand | null {
  const space = pick(random, legalFlips(state, seat))
  const isFlip = chance(random, 0.4) || legalMoves(state, seat).length === 0
  return isFlip && space !== undefined ? { type: 'flipPiece', seat, space } : null
}

function chooseMove(
  state: GameState,
  seat: Seat,
  { attack, random }: { readonly attack: number; readonly random: Random },
): Move | null {
  const moves = legalMoves(state, seat)
  const occupied = occupiedSpaces(state)
  const attacks = moves.filter(({ to }) => occupied.has(to))
  const wanted = attacks.length > 0 && chance(random, attack) ? attacks : moves
  return pick(random, wanted) ?? null
}

function occupiedSpaces({ pieces, ruleSet }: GameState): ReadonlySet<string> {
  const { spaces } = boardOf(ruleSet)
  return new Set(spaces.filter((_, i) => pieces[i] !== null))
}
