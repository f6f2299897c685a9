/** Colyseus with hidden state for each client: kinds are seen through a StateView, and a patch goes out with each move. */
import { Room, Server } from '@colyseus/core'
import { StateView, schema, t } from '@colyseus/schema'
import { WebSocketTransport } from '@colyseus/ws-transport'
import { QUIET_MS } from './pieces.js'

const Piece = schema({ space: t.string(), seat: t.string(), kind: t.string().view() }, 'Piece')
const Table = schema({ turn: t.number(), pieces: t.map(Piece) }, 'Table')

class Junqi extends Room {
  maxClients = 4
  // Not twenty times a second: with each move, as the others do.
  patchRate = null
  #at = new Map()

  onCreate({ pieces }) {
    const table = new Table()
    table.turn = 0
    for (const [space, seat, kind] of pieces) {
      const piece = new Piece()
      Object.assign(piece, { space, seat, kind })
      table.pieces.set(space, piece)
      this.#at.set(space, space)
    }
    this.state = table
    this.onMessage('move', (_, move) => this.#move(move))
  }

  onJoin(client, { seat }) {
    client.view = new StateView()
    for (const piece of this.state.pieces.values()) {
      if (piece.seat === seat) client.view.add(piece)
    }
  }

  #move({ from, to, left }) {
    const { pieces } = this.state
    const mover = this.#at.get(from)
    const other = this.#at.get(to)
    this.#at.delete(from)
    if (left !== 'mover' && mover !== undefined) pieces.delete(mover)
    if (left !== 'other' && other !== undefined) pieces.delete(other)
    if (left === 'mover') {
      this.#at.set(to, mover)
      pieces.get(mover).space = to
    } else if (left === 'none') this.#at.delete(to)
    this.state.turn += 1
    this.broadcastPatch()
  }
}

const transport = new WebSocketTransport({ pingInterval: QUIET_MS })
const server = new Server({ transport, greet: false })
server.define('junqi', Junqi)
await server.listen(Number(process.argv[2]), '127.0.0.1')
