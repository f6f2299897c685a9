import { decide, type GameCommand, type GameState, invariant, ok, type Seat } from '@junqi/engine'
import { type Decision, refuse } from './decision.ts'
import { isLate } from './deployment.ts'
import type { CommandOf, PlayerCommand } from './room-command.ts'
import type { RoomEvent } from './room-event.ts'
import { GAME_TURNS } from './room-limits.ts'
import { hasLeft, nextHost, type RoomState, seatOf } from './room-state.ts'
import { bankAfterMove } from './turn-clock.ts'

export function decideMove(state: RoomState, command: CommandOf<'move'>): Decision {
  const { from, to } = command
  return decideTurn(state, command, (seat) => ({ type: 'movePiece', seat, from, to }))
}

/** A flip is a move like any other (R-FLIP-2). */
export function decideFlip(state: RoomState, command: CommandOf<'flip'>): Decision {
  const { space } = command
  return decideTurn(state, command, (seat) => ({ type: 'flipPiece', seat, space }))
}

const decideTurn = (
  state: RoomState,
  command: CommandOf<'move'> | CommandOf<'flip'>,
  actionOf: (seat: Seat) => GameCommand,
): Decision =>
  inTurn(state, command, (seat) => {
    const decided = decideGame(state, actionOf(seat))
    if (!decided.ok) return decided
    const events = [...decided.value, ...bankUse(state, seat, command)]
    return ok([...events, ...endOfLongest(state, events)])
  })

export const decideResignation = (state: RoomState, command: CommandOf<'resign'>): Decision =>
  inTurn(state, command, (seat) => {
    const decided = decideGame(state, { type: 'resign', seat })
    if (decided.ok || decided.error.code !== 'resign_too_early') return decided
    const { ruleSet, moves } = gameOf(state)
    const right = `it can be done after ${ruleSet.resignFromMove} (resignFromMove)`
    const made = moves === 1 ? '1 move' : `${moves} moves`
    return refuse('resign_too_early', `It is too early to resign, after ${made}; ${right}.`)
  })

export const decideOffer = (state: RoomState, command: CommandOf<'offerDraw'>): Decision =>
  fromSeat(state, command, (seat) => decideGame(state, { type: 'offerDraw', seat }))

export const decideAnswer = (state: RoomState, command: CommandOf<'answerDraw'>): Decision =>
  fromSeat(state, command, (seat) => {
    const { offer, accept } = command
    return decideGame(state, { type: 'answerDraw', seat, offer, accept })
  })

/** R-OUT-7. The seat stays with its player, who is a spectator from now on. */
export const decideLeaveInPlay = (state: RoomState, command: CommandOf<'leave'>): Decision =>
  fromSeat(state, command, (seat) => {
    const decided = decideGame(state, { type: 'leave', seat })
    return decided.ok ? ok([...decided.value, ...handover(state, seat)]) : decided
  })

/** The turn was not made by its deadline: skipped, and the bank is empty (R-OUT-4). */
export function decideTimeout(state: RoomState): Decision {
  const seat = gameOf(state).toMove
  invariant(seat !== null, 'somebody is to move in a running game')
  const decided = decideGame(state, { type: 'timeout', seat })
  if (!decided.ok || state.bankMs[seat] === 0) return decided
  return ok([...decided.value, { type: 'bankUsed', seat, bankMs: 0 }])
}

/** R-ROOM-5: as if everyone had agreed, which any record can tell. */
function endOfLongest(state: RoomState, events: readonly RoomEvent[]): readonly RoomEvent[] {
  const isLast = gameOf(state).turn + 1 >= GAME_TURNS
  const isOver = events.some(({ type }) => type === 'gameEnded')
  if (!isLast || isOver) return []
  const agreed = decideGame(state, { type: 'agreeDraw' })
  invariant(agreed.ok, 'a draw is agreed in any running game')
  return agreed.value
}

function fromSeat(
  state: RoomState,
  { player }: PlayerCommand,
  decideFor: (seat: Seat) => Decision,
): Decision {
  const seat = seatOf(state, player.id)
  if (seat === null) return refuse('not_seated')
  // Before anything of the game is looked at: who left may be behind it.
  return hasLeft(state, seat) ? refuse('seat_out') : decideFor(seat)
}

/** A command that was made for one turn, and counts only if it came within it (F-R6, F-T3). */
function inTurn(
  state: RoomState,
  command: CommandOf<'move'> | CommandOf<'flip'> | CommandOf<'resign'>,
  decideFor: (seat: Seat) => Decision,
): Decision {
  return fromSeat(state, command, (seat) => {
    const { turn } = gameOf(state)
    if (command.turn !== turn) {
      return refuse(
        'stale_turn',
        `The command was made for turn ${command.turn}; the game is at turn ${turn}.`,
      )
    }
    return isLate(state, command) ? refuse('too_late') : decideFor(seat)
  })
}

function decideGame(state: RoomState, command: GameCommand): Decision {
  const decided = decide(gameOf(state), command)
  return decided.ok ? decided : refuse(decided.error.code, decided.error.message)
}

function gameOf({ game }: RoomState): GameState {
  invariant(game !== null, 'a room in play has a game')
  return game
}

function bankUse(
  state: RoomState,
  seat: Seat,
  { receivedAt }: Pick<PlayerCommand, 'receivedAt'>,
): readonly RoomEvent[] {
  const before = state.bankMs[seat]
  const turn = { startedAt: state.startedAt, receivedAt }
  const bankMs = bankAfterMove(state.rules.ruleSet, turn, before)
  return bankMs === before ? [] : [{ type: 'bankUsed', seat, bankMs }]
}

/** When the host leaves, another person who is still there follows. */
function handover(state: RoomState, leaving: Seat): readonly RoomEvent[] {
  const player = state.seats[leaving]?.player
  if (player === undefined || player.id !== state.host) return []
  const next = nextHost(state, player.id)
  return next === null ? [] : [{ type: 'hostChanged', player: next.id }]
}
