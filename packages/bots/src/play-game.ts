import {
  applyCommand,
  assertNever,
  type BySeat,
  chooseFirst,
  type GameCommand,
  type GameEvent,
  type GameState,
  invariant,
  isFlipGame,
  isPublicEvent,
  newGame,
  type PublicEvent,
  type RuleSet,
  type Seat,
  shuffledLayout,
  viewGame,
} from '@junqi/engine'
import type { Action, Brain, Random, Sight } from './brain.ts'

/** A game that brains played through the engine, without server or clock. */
export interface PlayedGame {
  readonly started: Extract<GameEvent, { type: 'gameStarted' }>
  readonly commands: readonly GameCommand[]
  readonly end: GameState
}

/** Who plays, and what is told on the way. */
export interface Table {
  readonly ruleSet: RuleSet
  /** One for each seat of the game. */
  readonly brains: BySeat<Brain | null>
  readonly random: Random
  /** Called before every action with what its maker saw and with the whole game. */
  readonly onTurn?: (sight: Sight, state: GameState) => void
}

/** Plays a whole game. An illegal command of a brain is a bug, and throws. */
export function playGame({ ruleSet, brains, random, onTurn }: Table): PlayedGame {
  const started = startOf({ ruleSet, brains, random })
  const commands: GameCommand[] = []
  const history: PublicEvent[] = []
  let state = newGame(ruleSet, started)
  while (state.toMove !== null) {
    const seat = state.toMove
    const sight = { ruleSet, seat, view: viewGame(state, seat), history }
    onTurn?.(sight, state)
    const action = brains[seat]?.act(sight) ?? null
    invariant(action !== null, `${seat} is to move and does nothing`)
    const command = commandOf(seat, action)
    const applied = applyCommand(state, command)
    invariant(
      applied.ok,
      `${seat}: ${JSON.stringify(command)}: ${applied.ok ? '' : applied.error.code}`,
    )
    commands.push(command)
    history.push(...applied.value.events.filter(isPublicEvent))
    state = applied.value.state
  }
  return { started, commands, end: state }
}

function startOf({ ruleSet, brains, random }: Table): PlayedGame['started'] {
  const first = chooseFirst(ruleSet, random)
  if (isFlipGame(ruleSet)) {
    return { type: 'gameStarted', formations: {}, layout: shuffledLayout(random), first }
  }
  const formations = ruleSet.seats.map((seat) => [seat, brains[seat]?.formation(ruleSet, seat)])
  return { type: 'gameStarted', formations: Object.fromEntries(formations), first }
}

/** What a bot does in a game. */
type ActionCommand = Extract<GameCommand, { type: 'movePiece' | 'flipPiece' | 'answerDraw' }>

/** The command that an action of a seat stands for. */
export function commandOf(seat: Seat, action: Action): ActionCommand {
  switch (action.type) {
    case 'move':
      return { type: 'movePiece', seat, from: action.from, to: action.to }
    case 'flip':
      return { type: 'flipPiece', seat, space: action.space }
    case 'answerDraw':
      return { type: 'answerDraw', seat, offer: action.offer, accept: action.accept }
    default:
      return assertNever(action)
  }
}
