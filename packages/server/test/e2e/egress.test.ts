import { PRESETS, randomFormation, SEATS } from '@junqi/engine'
import { roomView } from '@junqi/protocol'
import { afterEach, expect, test } from 'vitest'
import { seededRandom } from '../support/players.ts'
import { command, seatedRoom, startRoom } from '../support/socket-table.ts'
import { makeGuest, startRealApp, stopApps, TestClient } from '../support/test-app.ts'

afterEach(stopApps)

/** All that one viewer got, by whichever way, and the formations that are its own. */
interface Seen {
  readonly seat: string
  readonly client: TestClient | null
  readonly token: string | null
  readonly own: readonly string[]
  readonly texts: string[]
}

test('F-H1, F-H2, F-H6, F-H7: whichever way a viewer looks, it sees the kinds of its own pieces and no other', async () => {
  const { adminUrl, logs, url } = await startRealApp()
  const random = seededRandom(5)
  const guests = await Promise.all([...SEATS, 'spectator'].map((name) => makeGuest(url, name)))
  const clients = await Promise.all(guests.map(({ token }) => TestClient.hello(url, token)))
  const seated = clients.slice(0, SEATS.length)
  const room = await seatedRoom(seated, 'siguo')
  const viewers: readonly Seen[] = [
    ...[...SEATS, 'spectator'].map((seat, n) => ({
      seat,
      client: clients[n] ?? null,
      token: guests[n]?.token ?? null,
      own: seat === 'spectator' ? [] : [1, 2].map(() => randomFormation(PRESETS.siguo, random)),
      texts: [],
    })),
    { seat: 'nobody', client: null, token: null, own: [], texts: [] },
  ]
  await look()
  await startRoom(seated, room)
  for (const { client, own } of viewers) {
    if (own[0] !== undefined) await ask(client, { type: 'saveDraft', formation: own[0] })
  }
  await look()
  for (const { client, own, seat } of viewers) {
    if (own[1] !== undefined) await ask(client, { type: 'submitFormation', formation: own[1] })
    if (seat === 'east') await look()
  }
  await look()
  for (let n = 0; n < 5; n++) await playOne()
  await look()

  const everyone = [await (await fetch(`${adminUrl}/metrics`)).text(), ...logs]
  const formations = viewers.flatMap(({ own }) => own)
  for (const { client, own, seat, texts } of viewers) {
    texts.push(...(client?.messages ?? []).map((message) => JSON.stringify(message)), ...everyone)
    const foreign = formations.filter((formation) => !own.includes(formation))
    const leaks = texts.filter((text) => foreign.some((formation) => text.includes(formation)))
    expect(leaks, seat).toEqual([])
    const kinds = texts.filter((text) => text.startsWith('{')).flatMap((text) => ownersIn(text))
    expect([...new Set(kinds)], seat).toEqual(own.length > 0 ? [seat] : [])
  }

  /** Everyone looks at the room in every way there is. A snapshot and HTTP show the same. */
  async function look(): Promise<void> {
    const version = Number((await command(clients[0] ?? raise(), subscribe())).version)
    for (const { client, token, texts } of viewers) {
      const headers = token === null ? {} : { authorization: `Bearer ${token}` }
      const read = async (path: string) => (await fetch(`${url}${path}`, { headers })).text()
      const overHttp = await read(`/v1/rooms/${room}`)
      texts.push(overHttp, await read('/v1/rooms'), await read('/v1/games'))
      for (const path of ['', '/record', '/record.jgs', '/positions/0', '/positions/1?as=north']) {
        texts.push(await read(`/v1/games/${room}${path}`))
        expect(texts.at(-1)).toContain('room_not_found')
      }
      if (client === null) continue
      const snapshot = await command(client, subscribe())
      expect(JSON.parse(overHttp)).toEqual(snapshot.view)
      await command(client, { ...subscribe(), since: version - 1 })
    }
  }

  function subscribe() {
    return { type: 'subscribe', room }
  }

  async function ask(client: TestClient | null | undefined, message: object): Promise<void> {
    await command(client ?? raise(), { ...message, room })
  }

  async function playOne(): Promise<void> {
    for (const client of seated) {
      const { view } = await command(client, subscribe())
      const { game, legalMoves, you } = roomView.parse(view)
      if (game?.toMove !== you.seat) continue
      const occupied = new Set(game.pieces.map(({ space }) => space))
      // Without an attack no flag comes to be shown.
      const [from, to] = Object.entries(legalMoves)
        .flatMap(([space, targets]) => targets.map((target) => [space, target] as const))
        .find(([, target]) => !occupied.has(target)) ?? [null, null]
      await ask(client, { type: 'move', turn: game.turn, from, to })
      return
    }
  }
})

/** The seats whose pieces a message shows the kinds of. */
function ownersIn(text: string): readonly string[] {
  const owners: string[] = []
  JSON.parse(text, (_, value: unknown) => {
    if (typeof value === 'object' && value !== null && 'kind' in value && value.kind !== 'hidden') {
      owners.push('id' in value ? (String(value.id).split(':')[0] ?? '') : JSON.stringify(value))
    }
    return value
  })
  return owners
}

function raise(): never {
  throw new Error('nobody is there')
}
