import { describe, expect, test } from 'vitest'
import { CHAT_KEPT, type Store } from '../../src/ports.ts'
import { commandIdOf, playerOf, requestOf, roomOf } from './requests.ts'

const [ANN, BOB] = [playerOf(1), playerOf(2)]
const ROOM = roomOf(0)
const TABLE = { name: 'table', part: 3 }
const ALLIES = { name: 'alliance:north,south', part: 3 }

/** ChatStore, as every store does it. */
export function describeChat(store: () => Store, reopen: () => Promise<void>): void {
  describe('chat', () => {
    const add = (n: number, stream = TABLE, player = ANN) =>
      store().addChat(ROOM, stream, { player, id: commandIdOf(n), data: `line "${n}" 你好\n` })
    const read = async (stream = TABLE, after = 0) => {
      const [found = []] = await store().readChat(ROOM, [{ ...stream, after }])
      return found
    }
    const made = () => store().append(requestOf(0))

    test('each stream counts its own messages, and they are read as they were said', async () => {
      await made()
      expect(await add(1)).toBe(1)
      expect(await add(2, ALLIES)).toBe(1)
      expect(await add(3, TABLE, BOB)).toBe(2)
      await reopen()
      const lines = [
        { number: 1, data: 'line "1" 你好\n' },
        { number: 2, data: 'line "3" 你好\n' },
      ]
      const all = await store().readChat(ROOM, [
        { ...ALLIES, after: 0 },
        { ...TABLE, after: 0 },
        { ...TABLE, after: 1 },
        { ...TABLE, after: 2 },
        { ...TABLE, after: 99 },
        { name: 'room', part: 0, after: 0 },
      ])
      expect(all.slice(1)).toEqual([lines, lines.slice(1), [], [], []])
      expect(all[0]).toEqual([{ number: 1, data: 'line "2" 你好\n' }])
    })

    test('it moves neither the version of the room nor its deadline nor its line', async () => {
      await store().append(requestOf(0, { deadline: 500, lobby: 'line' }))
      await add(1)
      expect(await store().version(ROOM)).toBe(1)
      expect(await store().nextDeadline()).toBe(500)
      expect(await store().lobby(5)).toEqual([{ room: ROOM, entry: 'line' }])
    })

    test('F-R2: a command id that was accepted before gives its first number and changes nothing', async () => {
      await made()
      await add(1)
      await add(2)
      await reopen()
      expect(await add(1)).toBe(1)
      expect(await add(1, ALLIES)).toBe(1)
      expect(await add(1, TABLE, BOB)).toBe(3)
      expect(await store().acceptedChat(ROOM, ANN, commandIdOf(1))).toBe(true)
      expect(await store().acceptedChat(ROOM, ANN, commandIdOf(9))).toBe(false)
      expect(await store().acceptedChat(ROOM, BOB, commandIdOf(2))).toBe(false)
      expect((await read()).map(({ number }) => number)).toEqual([1, 2, 3])
      expect(await read(ALLIES)).toEqual([])
    })

    test('the last 64 ids of a player are remembered', async () => {
      await made()
      for (let n = 0; n < 65; n++) await add(n)
      expect(await store().acceptedChat(ROOM, ANN, commandIdOf(0))).toBe(false)
      expect(await store().acceptedChat(ROOM, ANN, commandIdOf(1))).toBe(true)
    })

    test('F-C6: of a stream so many are kept, whatever is said', async () => {
      await made()
      for (let n = 0; n < CHAT_KEPT + 20; n++) await add(n)
      const kept = await read()
      expect(kept).toHaveLength(CHAT_KEPT)
      expect(kept[0]?.number).toBe(21)
      expect(await read(TABLE, CHAT_KEPT + 18)).toHaveLength(2)
    })

    test('a higher part begins anew, in the place of the lower one, which is over', async () => {
      await made()
      for (let n = 0; n < 5; n++) await add(n)
      const next = { ...TABLE, part: 8 }
      expect(await add(10, next)).toBe(1)
      expect(await add(11)).toBeNull()
      expect(await read()).toEqual([])
      expect((await read(next)).map(({ number }) => number)).toEqual([1])
    })

    test('of a hundred said at once each has its own number', async () => {
      await made()
      const players = Array.from({ length: 50 }, (_, n) => playerOf(n))
      const numbers = await Promise.all(players.map((player, n) => add(n, TABLE, player)))
      expect([...numbers].sort((one, other) => (one ?? 0) - (other ?? 0))).toEqual(
        players.map((_, n) => n + 1),
      )
    })

    test('F-C6: in a room that is not there nothing is kept, and with a room it goes', async () => {
      expect(await add(1)).toBeNull()
      expect(await store().setSilenced(ROOM, ANN, { isIn: true, limit: 2 })).toBe(true)
      await made()
      expect(await store().silencedIn(ROOM)).toEqual([])
      await add(1)
      await store().setSilenced(ROOM, ANN, { isIn: true, limit: 2 })
      await store().remove(ROOM)
      await reopen()
      await made()
      expect(await read()).toEqual([])
      expect(await store().silencedIn(ROOM)).toEqual([])
      expect(await add(1)).toBe(1)
    })

    test.each([
      [
        'silenced in a room',
        (player: typeof ANN, isIn: boolean) =>
          store().setSilenced(ROOM, player, { isIn, limit: 2 }),
        () => store().silencedIn(ROOM),
      ],
      [
        'muted by a player',
        (player: typeof ANN, isIn: boolean) => store().setMuted(BOB, player, { isIn, limit: 2 }),
        () => store().mutedBy(BOB),
      ],
    ])('%s are so many at most, each once', async (_, set, get) => {
      await made()
      expect(await get()).toEqual([])
      expect(await set(playerOf(5), true)).toBe(true)
      expect(await set(playerOf(5), true)).toBe(true)
      expect(await set(playerOf(6), true)).toBe(true)
      expect(await set(playerOf(7), true)).toBe(false)
      await reopen()
      expect([...(await get())].sort()).toEqual([playerOf(5), playerOf(6)])
      expect(await set(playerOf(6), true)).toBe(true)
      expect(await set(playerOf(5), false)).toBe(true)
      expect(await set(playerOf(8), false)).toBe(true)
      expect(await get()).toEqual([playerOf(6)])
      expect(await set(playerOf(6), false)).toBe(true)
      expect(await get()).toEqual([])
    })
  })
}
