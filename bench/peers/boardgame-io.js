/** boardgame.io with a secret state: `playerView` hides the kinds of others; matches in memory. */
import { createRequire } from 'node:module'
import { applyMove, piecesOf, QUIET_MS, seenBy } from './pieces.js'

const require = createRequire(import.meta.url)
const { Server, SocketIO, Origins } = require('boardgame.io/server')
const { ActivePlayers } = require('boardgame.io/core')

const SEATS = ['south', 'east', 'north', 'west']

const junqi = {
  name: 'junqi',
  disableUndo: true,
  setup: () => ({ pieces: {} }),
  turn: { activePlayers: ActivePlayers.ALL },
  moves: {
    place: ({ G }, pieces) => {
      G.pieces = piecesOf(pieces)
    },
    move: ({ G }, from, to, left) => applyMove(G.pieces, { from, to, left }),
  },
  playerView: ({ G, playerID }) => ({ pieces: seenBy(SEATS[Number(playerID)], G.pieces) }),
}

const server = Server({
  games: [junqi],
  origins: [Origins.LOCALHOST],
  transport: new SocketIO({ socketOpts: { pingInterval: QUIET_MS, transports: ['websocket'] } }),
})
await server.run({ port: Number(process.argv[2]), callback: () => {} })
