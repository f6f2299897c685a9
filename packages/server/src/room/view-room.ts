import {
  bySeat,
  type Formation,
  legalFlips,
  legalMoves,
  type PublicEvent,
  type SpaceId,
  type Viewer,
  viewGame,
} from '@junqi/engine'
import type { PlayerId, RoomView } from '@junqi/protocol'
import type { ServiceTime } from '../ports.ts'
import { type Occupant, publicDeadline, type RoomState, seatOf, viewerOf } from './room-state.ts'
import { viewSeal } from './sealing.ts'

/** What a view holds beside the state of the room. */
export interface Sight {
  /** Who looks; null: nobody in particular. */
  readonly player: PlayerId | null
  /** The viewer's own. */
  readonly draft: Formation | null
  readonly history: readonly PublicEvent[]
  goneSince(player: PlayerId): ServiceTime | null
}

/** A room as one viewer sees it, built field by field: what is not named here is not seen (F-H2). */
export function viewRoom(state: RoomState, sight: Sight): RoomView {
  const viewer = viewerOf(state, sight.player)
  return {
    phase: state.phase,
    rules: state.rules,
    invitation: state.invitation,
    spectators: state.spectators,
    host: state.host,
    seats: bySeat((seat) => {
      const occupant = state.seats[seat]
      return occupant && viewOccupant(occupant, state.bankMs[seat], sight)
    }),
    swaps: state.swaps,
    you: {
      seat: sight.player === null ? null : seatOf(state, sight.player),
      draft: state.game === null ? sight.draft : null,
    },
    game: state.game && viewGame(state.game, viewer),
    seal: viewSeal(state),
    history: sight.history,
    legalMoves: viewLegalMoves(state, viewer),
    ...viewFlips(state, viewer),
    until: publicDeadline(state),
    rematch: state.rematch,
    closed: state.closed,
  }
}

const viewOccupant = ({ player, ready }: Occupant, bankMs: number, { goneSince }: Sight) => ({
  player,
  ready,
  goneSince: goneSince(player.id),
  bankMs,
})

/** Of the viewer's own pieces only (F-H5). */
function viewLegalMoves({ game }: RoomState, viewer: Viewer): RoomView['legalMoves'] {
  const targets: Record<SpaceId, SpaceId[]> = {}
  if (game === null || viewer === 'spectator') return targets
  for (const { from, to } of legalMoves(game, viewer)) {
    const known = targets[from]
    if (known === undefined) targets[from] = [to]
    else known.push(to)
  }
  return targets
}

/** Of a flip game. What lies face down is anyone's to turn up. */
function viewFlips({ game }: RoomState, viewer: Viewer): Pick<RoomView, 'flips'> {
  if (game === null || game.flip === null) return {}
  return { flips: viewer === 'spectator' ? [] : legalFlips(game, viewer) }
}
