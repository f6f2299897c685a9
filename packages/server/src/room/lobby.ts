import {
  checkRules,
  chooseFirst,
  err,
  isFlipGame,
  ok,
  type RequestedRules,
  type Result,
  type RuleSet,
  SEATS,
} from '@junqi/engine'
import { type Decision, type Refusal, refuse } from './decision.ts'
import type { CommandOf, DealtChance } from './room-command.ts'
import type { RoomEvent, RoomRules } from './room-event.ts'
import { type RoomState, seated, seatOf } from './room-state.ts'
import { sealedStart } from './sealing.ts'
import { lapses } from './seating.ts'

/** A preset with a host's options, as the room plays it, or the first field that cannot be. */
export function roomRules(requested: RequestedRules): Result<RoomRules, Refusal> {
  const checked = checkRules(requested)
  if (!checked.ok) return refuse('bad_rules', `${checked.error.message}.`)
  return ok({ ...checked.value.rules, ruleSet: checked.value.ruleSet })
}

export function decideReady(state: RoomState, { player }: CommandOf<'ready'>): Decision {
  const seat = seatOf(state, player.id)
  if (seat === null) return refuse('not_seated')
  if (state.seats[seat]?.ready) return refuse('already_ready')
  return ok([{ type: 'readyChanged', seat, ready: true }])
}

/** New rules clear everyone's ready, and the seats that they do not have. */
export function decideRules(state: RoomState, command: CommandOf<'setRules'>): Decision {
  if (state.host !== command.player.id) return refuse('not_host')
  const requested = roomRules(command)
  if (!requested.ok) return err(requested.error)
  const { seats } = requested.value.ruleSet
  const gone = seated(state).filter(({ seat }) => !seats.includes(seat))
  return ok([
    ...lapses(
      state,
      gone.map(({ seat }) => seat),
    ),
    ...gone.map(({ seat, occupant }) => ({
      type: 'seatVacated' as const,
      seat,
      player: occupant.player.id,
      reason: 'stood' as const,
    })),
    { type: 'rulesChanged', rules: requested.value },
  ])
}

/** Who may look on is no rule of the game: everyone stays ready. */
export const decideSpectators = (
  { host }: RoomState,
  { player, spectators }: CommandOf<'setSpectators'>,
): Decision =>
  host === player.id ? ok([{ type: 'spectatorsChanged', spectators }]) : refuse('not_host')

/** Every seat is taken and ready, the host's own too if it sits; then deployment begins, or in a flip game play. */
export function decideStart(state: RoomState, command: CommandOf<'start'>): Decision {
  const { player } = command
  if (state.host !== player.id) return refuse('not_host')
  const { ruleSet } = state.rules
  if (!ruleSet.seats.every((seat) => state.seats[seat]?.ready)) return refuse('not_all_ready')
  return ok([...lapses(state, SEATS), ...beginning(ruleSet, command)])
}

/** What begins when everyone is there: deployment, or in a flip game play, for nobody knows what lies where (R-FLIP-1). */
export function beginning(
  ruleSet: RuleSet,
  { random, salts, layout }: DealtChance,
): readonly RoomEvent[] {
  if (!isFlipGame(ruleSet)) return [{ type: 'deploymentStarted' }]
  const first = chooseFirst(ruleSet, () => random)
  return sealedStart(ruleSet, { type: 'gameStarted', formations: {}, layout, first }, salts)
}
