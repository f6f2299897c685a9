/** A row of the table of budgets. */
export interface Budget {
  readonly what: string
  /** Of the figure. */
  readonly unit: string
  /** What it is a multiple of, measured beside it in each round; null: the figure itself is compared. */
  readonly yardstick: string | null
  readonly is: 'at most' | 'at least' | null
  /** In units, or in multiples of the yardstick. */
  readonly limit: number
  /** It is looked at, and no reason to fail. */
  readonly isReport: boolean
}

const BARE = 'bare-ws'
const MOVE = 'an accepted move'

const atMost = (what: string, limit: number, unit: string, yardstick: string | null = null) =>
  ({ what, unit, yardstick, is: 'at most', limit, isReport: false }) as const
const atLeast = (what: string, limit: number, unit: string, yardstick: string | null = null) =>
  ({ what, unit, yardstick, is: 'at least', limit, isReport: false }) as const
const report = (what: string, unit: string, yardstick: string | null = null) =>
  ({ what, unit, yardstick, is: null, limit: 0, isReport: true }) as const

/** All rows, by the names that `--row` takes. */
export const BUDGETS = {
  yardstick: report('CPU a move of bare-ws', 'us'),
  noise: report('bare-ws against itself, CPU a move', 'us', BARE),
  'cpu-lmdb': atMost('CPU an accepted move, siguo, four seats, LMDB', 1.5, 'us', BARE),
  'cpu-redis': atMost('the same on Redis, appendfsync always, one node', 1.7, 'us', BARE),
  'cpu-redis-2': atMost('the same on two nodes, seats spread, both together', 3, 'us', BARE),
  'redis-cpu': report("Redis's own CPU an accepted move", 'us'),
  'redis-memory': report('memory of Redis for a game and its players', 'KiB'),
  saturation: atLeast('accepted moves a second at saturation, LMDB', 0.65, '/s', BARE),
  'latency-p50': atMost('ack at 30 % of saturation, p50, LMDB', 1, 'ms', 'bare-ws + one fsync'),
  'latency-p99': atMost('ack at 30 % of saturation, p99, LMDB', 3, 'ms', BARE),
  'cross-node': {
    ...atMost('event at the other node, 500 moves a second, p99', 30, 'ms'),
    isReport: true,
  },
  resume: atMost('CPU to resume at move 300, by snapshot', 10, 'us', MOVE),
  'resume-tail': atMost('CPU to resume at move 300, by the last ten frames', 10, 'us', MOVE),
  'idle-rss': atMost('RSS of an idle authenticated connection', 1.5, 'KiB', BARE),
  accept: atMost('CPU to accept, authenticate and welcome', 3, 'us', BARE),
  'create-room': atMost('CPU to create a room over HTTP, LMDB', 10, 'us', MOVE),
  'room-memory': atMost('memory of a room of four seats at move 300', 64, 'KiB'),
  'move-bytes': atMost('bytes of a plain move event to a seat, most', 150, 'bytes'),
  storm: {
    ...atMost('event-loop delay while all reconnect at once, p99', 200, 'ms'),
    isReport: true,
  },
  'storm-back': report('until all were in step again', 'ms'),
  'ladder-100': report('CPU an accepted move, 100 rooms', 'us', BARE),
  'ladder-1000': report('CPU an accepted move, 1,000 rooms', 'us', BARE),
  'ladder-10000': report('CPU an accepted move, 10,000 rooms', 'us', BARE),
  ladder: atMost('cost of a move in the most rooms', 1.25, 'x bare-ws', 'in 100 rooms'),
  'perft-duel': atLeast('perft leaves a second, duel, depth 4', 9, 'million/s'),
  'perft-siguo': atLeast('perft leaves a second, siguo, depth 3', 9, 'million/s'),
  'legal-moves': atMost('legal moves of a whole siguo seat, mid-game', 4, 'us'),
  'decide-evolve': atMost('decide and evolve of a plain move', 3, 'us'),
  views: atMost('four seat views and the spectator view of an event', 2, 'us'),
  replay: atMost('replay of a 400-move record', 3, 'ms'),
  'peer-socket-io': report('socket.io, a frame of its own for each seat', 'us', BARE),
  'peer-colyseus': report('Colyseus, a hidden state for each client', 'us', BARE),
  'peer-boardgame-io': report('boardgame.io, playerView', 'us', BARE),
} as const satisfies Readonly<Record<string, Budget>>

export type RowName = keyof typeof BUDGETS

export const ROW_NAMES = Object.keys(BUDGETS) as readonly RowName[]
