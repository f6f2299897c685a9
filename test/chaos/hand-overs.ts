import type { PlayerId, RoomId } from '@junqi/protocol'
import type { Acknowledged } from '../support/ledger.ts'
import type { Player } from '../support/make-player.ts'
import { RESENDING } from '../support/resend.ts'
import type { Table } from '../support/table.ts'
import type { Scene } from './scene.ts'
import type { Node, Site } from './site.ts'

/** A room in play, some of whose players have lost their node. */
interface Waiting {
  readonly table: Table
  readonly room: RoomId
  readonly players: ReadonlySet<PlayerId>
  /** Those of them who are connected again. */
  readonly back: Set<PlayerId>
  readonly since: number
}

/**
 * From the kill of a node to the next turn that one of its players took in the room of a running game, on another node:
 * a sample for each such room.
 */
export class HandOvers {
  readonly #scene: Scene
  readonly #tables: readonly Table[]
  readonly #waiting = new Set<Waiting>()
  /** In milliseconds. */
  readonly samples: number[] = []
  /** Games that ended before. */
  dropped = 0

  /** `tables`: where nobody takes its time. */
  constructor(scene: Scene, tables: readonly Table[]) {
    this.#scene = scene
    this.#tables = tables
    scene.ledger.onAcknowledged((acknowledged) => this.#heard(acknowledged))
  }

  /** To be called at the kill. */
  begin(node: Node, { balancer }: Site): void {
    const since = performance.now()
    for (const table of this.#tables) {
      const { room } = table
      if (room === null) continue
      const served = table.players.filter(
        ({ token }) => balancer.serverOf((head) => isLineOf(head, token)) === node,
      )
      const playing = served.filter(({ id }) => isPlaying({ table, room }, id))
      if (playing.length === 0) continue
      const players = new Set(playing.map(({ id }) => id))
      const waiting = { table, room, players, back: new Set<PlayerId>(), since }
      this.#waiting.add(waiting)
      for (const player of playing) noteReturn(player, waiting.back)
    }
  }

  /** Resolves when every room that waits has moved on, or its game is over. */
  async completed(): Promise<void> {
    if (this.#waiting.size > 0) await this.#scene.until(() => this.#waiting.size === 0)
  }

  #heard(acknowledged: Acknowledged): void {
    for (const waiting of this.#waiting) {
      if (isTurnOf(acknowledged, waiting)) this.samples.push(performance.now() - waiting.since)
      else if ([...waiting.players].some((id) => isPlaying(waiting, id))) continue
      else this.dropped++
      this.#waiting.delete(waiting)
    }
  }
}

/** The client's own line: not one on which something is only sent again, and which nobody comes back from. */
const isLineOf = (head: string, token: string): boolean =>
  head.includes(`bearer.${token}`) && !head.includes(RESENDING)

const isTurnOf = ({ command, player, room }: Acknowledged, waiting: Waiting): boolean =>
  (command.type === 'move' || command.type === 'flip') &&
  room === waiting.room &&
  waiting.back.has(player)

function isPlaying({ table, room }: Pick<Waiting, 'table' | 'room'>, id: PlayerId): boolean {
  const seen = table.seen().find(({ player }) => player === id)
  if (seen === undefined || seen.state.room !== room) return false
  const { phase, game, you } = seen.state.view
  return phase === 'playing' && you.seat !== null && game?.seats[you.seat]?.out === null
}

/** Writes a player down as soon as it is online again. */
function noteReturn({ id, client }: Player, back: Set<PlayerId>): void {
  let isGone = client.status.state !== 'online'
  const stop = client.onStatus(({ state }) => {
    if (state === 'online' && isGone) {
      back.add(id)
      stop()
    } else if (state !== 'online') isGone = true
  })
}
