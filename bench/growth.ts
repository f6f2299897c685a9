/** What growth is worked out from: all measured, on one core of one machine. */
export interface Measures {
  /** Microseconds of node CPU for an accepted move: all seats at one node, and spread over two. */
  readonly moveAtOne: number
  readonly moveAtTwo: number
  /** Microseconds of Redis's own CPU for it. */
  readonly redisMove: number
  /** Microseconds of node CPU to accept and welcome a connection. */
  readonly accept: number
  /** KiB of an idle connection, and of a room in memory at move 300. */
  readonly connection: number
  readonly room: number
  /** KiB of Redis for a game of 300 moves and its players. */
  readonly game: number
  /** Bytes of a move event to a seat. */
  readonly moveBytes: number
}

/** So many players, and what they need. */
export interface Growth {
  readonly players: number
  readonly movesPerSecond: number
  /** Cores: a node uses one. */
  readonly nodes: number
  /** What the number of nodes follows from. */
  readonly boundBy: 'moves' | 'connections' | 'two, for safety'
  readonly gibPerNode: number
  /** Masters, each a core and a disk; one: no cluster. */
  readonly masters: number
  /** GiB in all: running games, and a day's finished ones. */
  readonly redisGiB: number
  /** Of a day's games. */
  readonly gamesPerDay: number
  /** Megabits a second to all players. */
  readonly megabits: number
  /** Touched rooms that each node reads from Redis in a second, in case that no hint came. */
  readonly touchedPerNode: number
  /** The same of all nodes. */
  readonly touchedInAll: number
  /** Words about who comes and goes that Redis passes on in a second, to all nodes together. */
  readonly presence: number
}

/** What is assumed, not measured. */
export const ASSUMED = {
  /** A player in a game of four moves once in so many seconds. */
  secondsBetweenMoves: 20,
  seats: 4,
  /** Of a core, so that a node's failure and a busy minute fit in. */
  load: 0.5,
  connectionsPerNode: 15_000,
  /** A connection lives so long: then its player comes back, or another one comes. */
  connectionSeconds: 1800,
  movesOfAGame: 300,
  /** Of a process before anybody comes, and of the store that all games need. */
  nodeMiB: 150,
  /** Bytes of Ethernet, IP, TCP, TLS and WebSocket around a frame. */
  frameOverhead: 100,
  /** Each node looks once a second at what was touched in the last four. */
  lookSeconds: 4,
} as const

const SECONDS_OF_A_DAY = 86_400

/** Everyone plays, all the time: the worst case. */
export function growthOf(players: number, measures: Measures): Growth {
  const { seats, load, secondsBetweenMoves, connectionsPerNode, connectionSeconds } = ASSUMED
  const movesPerSecond = players / secondsBetweenMoves
  const rooms = players / seats
  const arrivals = players / connectionSeconds
  const nodesFor = (nodes: number): number => {
    const work = movesPerSecond * moveOver(nodes, measures) + arrivals * measures.accept
    return Math.ceil(work / 1e6 / load)
  }
  const byConnections = Math.ceil(players / connectionsPerNode)
  const byMoves = nodesFor(Math.max(byConnections, 2))
  const nodes = Math.max(2, byConnections, byMoves)
  const isByMoves = byMoves >= byConnections
  const boundBy = nodes === 2 ? 'two, for safety' : isByMoves ? 'moves' : 'connections'
  const copies = Math.min(seats, nodes)
  const kib = (players * measures.connection + rooms * copies * measures.room) / nodes
  const gamesPerDay = (movesPerSecond * SECONDS_OF_A_DAY) / ASSUMED.movesOfAGame
  const touched = Math.min(rooms, movesPerSecond * ASSUMED.lookSeconds)
  return {
    players,
    movesPerSecond,
    nodes,
    boundBy,
    gibPerNode: (ASSUMED.nodeMiB + kib / 1024) / 1024,
    masters: Math.max(1, Math.ceil((movesPerSecond * measures.redisMove) / 1e6 / load)),
    redisGiB: ((rooms + gamesPerDay) * measures.game) / 2 ** 20,
    gamesPerDay,
    megabits: (movesPerSecond * seats * (measures.moveBytes + ASSUMED.frameOverhead) * 8) / 1e6,
    touchedPerNode: touched,
    touchedInAll: touched * nodes,
    presence: arrivals * 2 * nodes,
  }
}

/** Each further node that has a seat of the room follows it; beyond four there are no more seats. */
export function moveOver(nodes: number, { moveAtOne, moveAtTwo }: Measures): number {
  const followers = Math.min(nodes, ASSUMED.seats) - 1
  return moveAtOne + followers * Math.max(0, moveAtTwo - moveAtOne)
}
