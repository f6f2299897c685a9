import {
  type Accepted,
  type Client,
  connect,
  createGuest,
  type Refusal,
  type RoomHandle,
  type RoomState,
} from '@junqi/client'
import { isFlipGame, PRESETS, type PresetName, type Result, randomFormation } from '@junqi/engine'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { seededRandom } from '../support/seeded-random.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'

/** Moves before which the server is killed. */
const KILLS: ReadonlySet<number> = new Set([8, 20])
const MOVES = 30

let server: ServerProcess
const clients: Client[] = []

beforeAll(async () => {
  server = await startServer()
})
afterAll(async () => {
  for (const client of clients) client.close()
  await server.stop()
})

function connectAs(token: string): Client {
  const client = connect({ url: server.url, token, clientName: 'sdk-test/1', WebSocket })
  clients.push(client)
  return client
}

async function expectOk<T>(answer: Promise<Result<T, Refusal>>): Promise<T> {
  const result = await answer
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`)
  return result.value
}

/** A player that stays connected, as well as it can. */
async function makePlayer(name: string) {
  const { token } = await expectOk(createGuest(server.url, name))
  return { token, client: connectAs(token) }
}

/** Resolves when a room has come to a version. */
function reached(room: RoomHandle, version: number): Promise<RoomState> {
  return new Promise((resolve, reject) => {
    const look = (state: RoomState | null): void => {
      if (state === null || state.version < version) return
      stop()
      resolve(state)
    }
    const stop = room.onUpdate((update) => {
      if (update.type === 'lost') reject(new Error(update.reason.message))
      else look(update.state)
    })
    look(room.state)
  })
}

/** A table of players and a spectator, each with the room in hand. */
class Table {
  readonly #watchers: readonly { readonly token: string; readonly room: RoomHandle }[]

  constructor(watchers: readonly { readonly token: string; readonly room: RoomHandle }[]) {
    this.#watchers = watchers
  }

  get state(): RoomState {
    const state = this.#watchers[0]?.room.state
    if (state === null || state === undefined) throw new Error('the room is not open')
    return state
  }

  get players(): readonly RoomHandle[] {
    return this.#watchers.slice(0, -1).map(({ room }) => room)
  }

  player(n: number): RoomHandle {
    const room = this.players[n]
    if (room === undefined) throw new Error(`there is no player ${n}`)
    return room
  }

  get toMove(): RoomHandle {
    const { game } = this.state.view
    const room = this.players.find(({ view }) => view?.you.seat === game?.toMove)
    if (room === undefined) throw new Error('nobody is to move')
    return room
  }

  /** Waits until everyone has what the command led to. */
  async after(answer: Promise<Result<Accepted, Refusal>>): Promise<void> {
    const { version } = await expectOk(answer)
    await Promise.all(this.#watchers.map(({ room }) => reached(room, version ?? 0)))
  }

  /** Everyone sees what it would see if it came only now. */
  async compare(): Promise<void> {
    for (const { token, room } of this.#watchers) {
      const newcomer = connectAs(token)
      const snapshot = await expectOk(newcomer.room(room.id).opened())
      newcomer.close()
      expect(await reached(room, snapshot.version)).toEqual(snapshot)
    }
  }
}

async function openTable(preset: PresetName): Promise<Table> {
  const names = [...PRESETS[preset].seats, 'spectator']
  const people = await Promise.all(names.map(makePlayer))
  const [host] = people
  if (host === undefined) throw new Error('nobody is there')
  const options = { bankSeconds: 600, resignFromMove: 0 }
  const created = await expectOk(host.client.createRoom({ preset, options, private: true }))
  if (created.room === null) throw new Error('no room')
  const hosted = host.client.room(created.room)
  const { view } = await expectOk(hosted.opened())
  const invited = view.invitation === null ? {} : { invitation: view.invitation }
  const watchers = people.map(({ token, client }) => ({
    token,
    room: client.room(hosted.id, invited),
  }))
  for (const { room } of watchers) await expectOk(room.opened())
  return new Table(watchers)
}

async function deploy(table: Table, preset: PresetName, random: () => number): Promise<void> {
  const { seats } = PRESETS[preset]
  for (const [n, room] of table.players.entries()) await table.after(room.sit(seats[n] ?? 'south'))
  await table.compare()
  await table.after(table.player(0).requestSwap(seats[1] ?? 'north'))
  await table.after(table.player(1).answerSwap(1, true))
  await table.compare()
  for (const room of table.players) await table.after(room.ready())
  await table.after(table.player(0).start())
  await table.compare()
  if (isFlipGame(PRESETS[preset])) return
  const formation = (): string => randomFormation(PRESETS[preset], random)
  await expectOk(table.player(0).saveDraft(formation()))
  await table.compare()
  for (const room of table.players) await table.after(room.submitFormation(formation()))
}

/** A move, or a flip where there is something to turn up. */
function takeTurn(room: RoomHandle, random: () => number): Promise<Result<Accepted, Refusal>> {
  const { flips = [], legalMoves = {} } = room.view ?? {}
  const space = flips[Math.floor(random() * flips.length)]
  const isFlip = Object.keys(legalMoves).length === 0 || random() < 0.5
  if (space !== undefined && isFlip) return room.flip(space)
  return room.move(...chooseMove(room, random))
}

/** A legal move; an attack, if there is one and chance will have it. */
function chooseMove({ view }: RoomHandle, random: () => number): readonly [string, string] {
  const moves = Object.entries(view?.legalMoves ?? {}).flatMap(([from, targets]) =>
    targets.map((to) => [from, to] as const),
  )
  const occupied = new Set(view?.game?.pieces.map(({ space }) => space))
  const attacks = moves.filter(([, to]) => occupied.has(to))
  const choice = attacks.length > 0 && random() < 0.7 ? attacks : moves
  const move = choice[Math.floor(random() * choice.length)]
  if (move === undefined) throw new Error('there is no move')
  return move
}

describe('F-R7: clients of the SDK that come back by themselves see what a newcomer sees', () => {
  test.each<PresetName>(['duel', 'siguo-ally-open', 'flip'])(
    '%s, the server killed twice in a game',
    async (preset) => {
      const random = seededRandom(20_261)
      const table = await openTable(preset)
      await deploy(table, preset, random)
      for (let moves = 0; moves < MOVES && table.state.view.phase === 'playing'; moves++) {
        const room = table.toMove
        const isKilled = KILLS.has(moves)
        if (isKilled) await server.kill('SIGKILL')
        const moved = table.after(takeTurn(room, random))
        if (isKilled) {
          server.spawn()
          await server.ready()
        }
        await moved
        if (isKilled || moves % 20 === 0) await table.compare()
      }
      if (table.state.view.phase === 'playing') await table.after(table.toMove.resign())
      await table.compare()
    },
  )
})
