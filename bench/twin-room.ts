import {
  boardOf,
  type GameState,
  invariant,
  legalMoves,
  type Move,
  newGame,
  type RuleSet,
  randomFormation,
  resolveCombat,
  resolveRules,
} from '@junqi/engine'
import type { LightSocket } from './light-socket.ts'
import { seededRandom } from './scripts.ts'

/** Which of two that south cannot tell apart: they differ in two pieces of north. */
export type World = 'one' | 'other'

const OPTIONS = { firstSeat: 'south', turnSeconds: 600, quietMoveLimit: null, resignFromMove: 0 }

export type Timed<Sample> = (socket: LightSocket, message: object) => Promise<Sample>

/** A duel in which south is to move. */
export interface TwinRoom {
  readonly room: string
  /** A move of south's onto a piece that differs, but not as it may be made. */
  refused(): object
  /** South's next move to and fro, followed by north's. */
  shuttle<Sample>(timed: Timed<Sample>): Promise<Sample>
  /** South attacks a piece that differs, and wins. */
  attack<Sample>(timed: Timed<Sample>): Promise<Sample>
  /** The game is given up by who is to move, and nobody watches it any more. */
  close(): Promise<void>
}

interface Table {
  readonly south: LightSocket
  readonly north: LightSocket
}

let rooms = 0

export async function openTwinRoom(
  { south, north }: Table,
  world: World,
  isPrivate: boolean,
): Promise<TwinRoom> {
  const { formations, quiet, attack, refused } = GAME
  const create = { type: 'createRoom', preset: 'duel', options: OPTIONS, private: isPrivate }
  const { room } = await ask(south, { ...create, id: `room${rooms++}` })
  const view = await ask(south, { type: 'subscribe', id: 'in', room })
  const { invitation } = view.view
  const entry = invitation === null ? {} : { invitation }
  await ask(north, { type: 'subscribe', id: 'in', room, ...entry })
  const seats = [
    [south, 'south', formations.south],
    [north, 'north', formations[world]],
  ] as const
  for (const [socket, seat] of seats) {
    await ask(socket, { type: 'sit', id: 'sit', room, seat, ...entry })
    await ask(socket, { type: 'ready', id: 'ready', room })
  }
  await ask(south, { type: 'start', id: 'start', room })
  for (const [socket, , formation] of seats) {
    await ask(socket, { type: 'submitFormation', id: 'formation', room, formation })
  }
  let turn = 0
  return {
    room,
    refused: () => ({ type: 'move', turn, ...refused }),
    async shuttle(timed) {
      const [mine, its] = turn % 4 === 0 ? quiet : quiet.map(back)
      invariant(mine !== undefined && its !== undefined, 'both sides have a move')
      const moved = await timed(south, { type: 'move', id: `m${turn}`, room, turn, ...mine })
      await ask(north, { type: 'move', id: `m${turn}`, room, turn: turn + 1, ...its })
      turn += 2
      return moved
    },
    async attack(timed) {
      const attacked = await timed(south, { type: 'move', id: 'attack', room, turn, ...attack })
      turn += 1
      return attacked
    },
    async close() {
      await ask(turn % 2 === 0 ? south : north, { type: 'resign', id: 'resign', room, turn })
      for (const socket of [south, north]) {
        await ask(socket, { type: 'unsubscribe', id: 'out', room })
      }
    },
  }
}

interface Answer {
  readonly type: string
  readonly re: string
  readonly room: string
  readonly view: { readonly invitation: string | null }
}

function ask(socket: LightSocket, message: object): Promise<Answer> {
  const { id }: { id?: string } = message
  return new Promise((resolve, reject) => {
    socket.onFrame = (text) => {
      const reply: Answer = JSON.parse(text())
      if (reply.re !== id) return
      socket.onFrame = () => {}
      if (reply.type === 'error') reject(new Error(`${JSON.stringify(message)}: ${text()}`))
      else resolve(reply)
    }
    socket.send(JSON.stringify(message))
  })
}

const back = ({ from, to }: Move): Move => ({ from: to, to: from })

function findGame() {
  const rules = resolveRules({ preset: 'duel', options: OPTIONS })
  invariant(rules.ok, 'the rules are valid')
  const random = seededRandom(7)
  for (;;) {
    const found = gameOf(rules.value, random)
    if (found !== null) return found
  }
}

function gameOf(ruleSet: RuleSet, random: () => number) {
  const [south, one] = [randomFormation(ruleSet, random), randomFormation(ruleSet, random)]
  const state = newGame(ruleSet, {
    type: 'gameStarted',
    formations: { south, north: one },
    first: 'south',
  })
  for (const attack of attacksIn(state)) {
    const other = otherFormation(state, { attack, formation: one })
    const refused = refusedIn(state, attack)
    if (other === null || refused === null) continue
    const quiet = quietPair(state, [attack.from, ...other.spaces])
    if (quiet === null) continue
    return { formations: { south, one, other: other.formation }, attack, refused, quiet }
  }
  return null
}

const spaceOf = ({ ruleSet }: GameState, space: string): number =>
  boardOf(ruleSet).indexOf.get(space) ?? -1

const attacksIn = (state: GameState): readonly Move[] =>
  legalMoves(state, 'south').filter(({ to }) => state.pieces[spaceOf(state, to)] !== null)

/** North's formation with the attacked piece and another exchanged that loses as well, and where they stand. */
function otherFormation(
  state: GameState,
  { attack, formation }: { readonly attack: Move; readonly formation: string },
): { readonly formation: string; readonly spaces: readonly string[] } | null {
  const attacker = state.pieces[spaceOf(state, attack.from)]
  const home = boardOf(state.ruleSet).homes.north ?? []
  const at = home.indexOf(spaceOf(state, attack.to))
  const isWon = (place: number): boolean => {
    const piece = state.pieces[home[place] ?? -1]
    if (!attacker || !piece || attacker.kind === 'engineer') return false
    return resolveCombat(attacker.kind, piece.kind, state.ruleSet).outcome === 'attackerWins'
  }
  const another = [...home.keys()].find(
    (place) => isWon(place) && formation[place] !== formation[at],
  )
  if (!isWon(at) || another === undefined) return null
  const symbols = [...formation]
  const [mine = '', its = ''] = [symbols[at], symbols[another]]
  const { spaces } = boardOf(state.ruleSet)
  return {
    formation: symbols.with(at, its).with(another, mine).join(''),
    spaces: [at, another].map((place) => spaces[home[place] ?? -1] ?? ''),
  }
}

/** A move onto the attacked space by a piece that cannot go there. */
function refusedIn(state: GameState, { to }: Move): Move | null {
  const legal = new Set(
    legalMoves(state, 'south').flatMap((move) => (move.to === to ? [move.from] : [])),
  )
  const { spaces } = boardOf(state.ruleSet)
  const from = spaces.find((space, n) => state.pieces[n]?.seat === 'south' && !legal.has(space))
  return from === undefined ? null : { from, to }
}

/** A move of each side onto an empty space that can be taken back, by pieces that are the same in both worlds. */
function quietPair(state: GameState, others: readonly string[]): readonly [Move, Move] | null {
  const [mine, its] = (['south', 'north'] as const).map((seat) => {
    const moves = legalMoves({ ...state, toMove: seat }, seat)
    return moves.find(({ from, to }) => {
      const isEmpty = state.pieces[spaceOf(state, to)] === null
      return isEmpty && !others.includes(from)
    })
  })
  return mine === undefined || its === undefined ? null : [mine, its]
}

/** A game in which there is all that is asked for. */
const GAME = findGame()
