/** socket.io: rooms in memory, and a frame of its own for each seat. */
import { createServer } from 'node:http'
import { Server } from 'socket.io'
import { applyMove, piecesOf, QUIET_MS } from './pieces.js'

const http = createServer((_, response) => response.end('socket.io'))
const io = new Server(http, { pingInterval: QUIET_MS, transports: ['websocket'] })
const rooms = new Map()

io.on('connection', (socket) => {
  let room = null
  let seat = null
  socket.on('join', (name, mySeat, pieces, joined) => {
    room = rooms.get(name) ?? { pieces: piecesOf(pieces), sockets: new Map(), turn: 0 }
    rooms.set(name, room)
    seat = mySeat
    room.sockets.set(seat, socket)
    joined()
  })
  socket.on('move', (move) => {
    const mover = room.pieces[move.from]
    applyMove(room.pieces, move)
    room.turn += 1
    for (const [viewer, each] of room.sockets) {
      const kind = viewer === seat ? mover.kind : null
      each.emit('event', { turn: room.turn, from: move.from, to: move.to, left: move.left, kind })
    }
  })
})

http.listen(Number(process.argv[2]), '127.0.0.1')
