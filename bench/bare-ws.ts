import { createServer } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'

/**
 * The yardstick of BUDGETS: rooms of four sockets; a move is parsed, and one ready-made event of
 * about 120 bytes goes to all four. No rules, no checks, no store.
 */
const EVENT = Buffer.from(
  JSON.stringify({
    type: 'event',
    room: 'x7k2m9qd',
    version: 123,
    turn: 100,
    next: 'north',
    until: 12345678,
    events: [{ type: 'pieceMoved', from: 'g6', to: 'g7' }],
  }),
)

const rooms = new Map<string, WebSocket[]>()
const http = createServer((_, response) => response.end('bare'))
const server = new WebSocketServer({ server: http, perMessageDeflate: false })

server.on('connection', (socket, request) => {
  const key = request.url ?? '/'
  const room = rooms.get(key) ?? []
  rooms.set(key, room)
  room.push(socket)
  socket.on('message', (data) => {
    const move: { from?: string } = JSON.parse(String(data))
    if (move.from === undefined) return
    for (const member of room) member.send(EVENT, { binary: false })
  })
  socket.on('close', () => rooms.delete(key))
  socket.on('error', () => socket.terminate())
})

http.listen(Number(process.argv[2]), '127.0.0.1', () => process.stdout.write('listening\n'))
