import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AppendRequest, PlayerId, Store } from '../../src/ports.ts'
import { Heard, type HeardHint } from '../support/heard.ts'
import { commandIdOf, playerOf, requestOf, roomOf, seatsOf } from './requests.ts'
import type { Place } from './store.contract.ts'

/** What stores of one place, each of another node, do for each other (DESIGN 4). */
export function describeSharedStore({
  makePlace,
}: {
  readonly makePlace: () => Promise<Place>
}): void {
  describe('two stores of one place', () => {
    let place: Place
    let one: Store
    let two: Store
    let heard: Heard

    beforeEach(async () => {
      place = await makePlace()
      ;[one, two] = await Promise.all([place.open(), place.open()])
      heard = new Heard()
      two.listen(heard)
    })
    afterEach(async () => {
      await Promise.all([one.close(), two.close()])
      await place.dispose()
    })

    const append = (store: Store, number: number, change: Partial<AppendRequest> = {}) =>
      store.append(requestOf(number, change))

    test('each knows that it is not alone', () => {
      expect([one.isShared, two.isShared]).toEqual([true, true])
    })

    describe('chat', () => {
      test('what is said at one is hinted at the other, and read there', async () => {
        await append(one, 0)
        await two.follow(roomOf(0))
        const stream = { name: 'table', part: 0 }
        const line = { player: playerOf(0), id: commandIdOf(0), data: 'line' }
        await one.addChat(roomOf(0), stream, line)
        await heard.until(['chatSaid', roomOf(0)])
        const read = await two.readChat(roomOf(0), [{ ...stream, after: 0 }])
        expect(read).toEqual([[{ number: 1, data: 'line' }]])
        expect(await two.addChat(roomOf(0), stream, line)).toBe(1)
      })

      test('whom a player mutes at one is hinted at the other', async () => {
        await one.setMuted(playerOf(0), playerOf(1), { isIn: true, limit: 5 })
        one.tellMuted(playerOf(0))
        await heard.until(['playerMuted', playerOf(0)])
        expect(await two.mutedBy(playerOf(0))).toEqual([playerOf(1)])
      })
    })

    test('who looks on at each is known at the other, until it says nobody', async () => {
      await two.follow(roomOf(0))
      expect(await one.shareOnlookers(roomOf(0), '{"count":1}', true)).toEqual([])
      await heard.until(['onlookersChanged', roomOf(0)])
      expect(await two.shareOnlookers(roomOf(0), 'two here', false)).toEqual(['{"count":1}'])
      expect(await one.shareOnlookers(roomOf(0), null, true)).toEqual(['two here'])
      expect(await two.shareOnlookers(roomOf(0), null, true)).toEqual([])
    })

    describe('appends', () => {
      test('F-C1: of a hundred from both at once exactly one gets each version', async () => {
        for (let version = 1; version <= 5; version++) {
          const results = await Promise.all(
            Array.from({ length: 100 }, (_, n) =>
              append(n % 2 === 0 ? one : two, 0, {
                expectedVersion: version - 1,
                data: `${version}:${n}`,
              }),
            ),
          )
          const winners = results.flatMap((result, n) => (result.type === 'appended' ? [n] : []))
          expect(winners).toHaveLength(1)
          const entry = { version, data: `${version}:${winners[0]}` }
          expect(await one.read(roomOf(0), version - 1)).toEqual([entry])
          expect(await two.read(roomOf(0), version - 1)).toEqual([entry])
        }
      })

      test('F-R2: a command that is repeated at the other store gets its first result', async () => {
        const command = { player: playerOf(0), id: commandIdOf(0) }
        await append(one, 0, { command })
        await append(one, 0, { expectedVersion: 1 })
        const again = await append(two, 0, { expectedVersion: 2, command, data: 'again' })
        expect(again).toEqual({ type: 'duplicate', version: 1 })
        expect(await two.accepted(roomOf(0), playerOf(0), commandIdOf(0))).toMatchObject({
          version: 1,
        })
      })

      test('F-T1: of a move at one and its timeout at the other exactly one happens', async () => {
        await append(one, 0, { deadline: 100 })
        const [move, timeout] = await Promise.all([
          append(one, 0, { expectedVersion: 1, data: 'move', deadline: 200 }),
          append(two, 0, { expectedVersion: 1, data: 'timeout', deadline: 300 }),
        ])
        expect([move.type, timeout.type].sort()).toEqual(['appended', 'conflict'])
        expect(await two.nextDeadline()).toBe(move.type === 'appended' ? 200 : 300)
      })

      test('F-C4: another last entry than the node knows is a conflict and changes nothing', async () => {
        await append(one, 0, { data: 'first' })
        await append(one, 0, { expectedVersion: 1, data: 'lost', deadline: 5 })
        const request = { expectedVersion: 2, data: 'next', lobby: 'line', deadline: 9 }
        for (const previous of ['first', 'lost ', 'Lost', '']) {
          expect(await append(two, 0, { ...request, previous })).toEqual({
            type: 'conflict',
            version: 2,
          })
        }
        expect(await one.version(roomOf(0))).toBe(2)
        expect(await one.nextDeadline()).toBe(5)
        expect(await one.lobby(1)).toEqual([])
        expect(await append(two, 0, { ...request, previous: 'lost' })).toEqual({
          type: 'appended',
          version: 3,
        })
      })

      test('F-C4: an empty entry is an entry', async () => {
        await append(one, 0, { data: '' })
        expect(await append(two, 0, { expectedVersion: 1, previous: '' })).toEqual({
          type: 'appended',
          version: 2,
        })
      })

      test('F-C4: of a room that is gone a further entry is a conflict', async () => {
        await append(one, 0, { data: 'first' })
        await one.remove(roomOf(0))
        expect(await append(two, 0, { expectedVersion: 1, previous: 'first' })).toEqual({
          type: 'conflict',
          version: 0,
        })
      })
    })

    describe('hints', () => {
      beforeEach(() => two.follow(roomOf(0)))

      test('an entry is hinted to whoever follows the room', async () => {
        await append(one, 1)
        await append(one, 0)
        expect(await heard.first('roomChanged')).toEqual([roomOf(0), 1])
        await append(one, 0, { expectedVersion: 1 })
        await heard.until(['roomChanged', roomOf(0), 2])
        expect(heard.all.every(([, room]) => room === roomOf(0))).toBe(true)
      })

      test('a removal and a failure are hinted', async () => {
        await two.follow(roomOf(1))
        await append(one, 0)
        await append(one, 1)
        await one.remove(roomOf(0))
        await heard.until(['roomGone', roomOf(0)])
        await one.markFailed(roomOf(1))
        await heard.until(['roomGone', roomOf(1)])
      })

      test('a draft is hinted by its player alone', async () => {
        await one.saveDraft(roomOf(0), playerOf(3), commandIdOf(0), 'secret')
        expect(await heard.first('draftSaved')).toEqual([roomOf(0), playerOf(3)])
        expect(JSON.stringify(heard.all)).not.toContain('secret')
      })

      test('a room that is followed no longer is not hinted', async () => {
        await two.follow(roomOf(1))
        two.unfollow(roomOf(0))
        await append(one, 0)
        await append(one, 1)
        await heard.until(['roomChanged', roomOf(1), 1])
        expect(heard.all).toEqual([['roomChanged', roomOf(1), 1]])
      })

      test('a room can be left and followed again', async () => {
        two.unfollow(roomOf(0))
        await two.follow(roomOf(0))
        await append(one, 0)
        expect(await heard.first('roomChanged')).toEqual([roomOf(0), 1])
      })

      test('what a node did itself is no news to it', async () => {
        await append(two, 0)
        await two.saveDraft(roomOf(0), playerOf(0), commandIdOf(0), 'draft')
        two.setConnected(playerOf(0), true)
        await append(one, 0, { expectedVersion: 1 })
        await heard.until(['roomChanged', roomOf(0), 2])
        expect(heard.all).toEqual([['roomChanged', roomOf(0), 2]])
      })

      test('thousands of rooms are followed at once', async () => {
        const rooms = Array.from({ length: 2_000 }, (_, n) => n)
        await Promise.all(rooms.map((n) => two.follow(roomOf(n))))
        await append(one, 1_999)
        expect(await heard.first('roomChanged')).toEqual([roomOf(1_999), 1])
        for (const n of rooms) two.unfollow(roomOf(n))
      })
    })

    describe('who is connected', () => {
      const elsewhere = async (store: Store, ...numbers: number[]): Promise<PlayerId[]> => [
        ...(await store.connectedElsewhere(numbers.map(playerOf))),
      ]

      test('is known elsewhere, and not of oneself', async () => {
        one.setConnected(playerOf(0), true)
        one.setConnected(playerOf(1), true)
        await heard.until(['playerSeen', playerOf(0)], ['playerSeen', playerOf(1)])
        expect(await elsewhere(two, 0, 1, 2)).toEqual([playerOf(0), playerOf(1)])
        expect(await elsewhere(one, 0, 1, 2)).toEqual([])
        expect(await elsewhere(two)).toEqual([])
      })

      test('is forgotten when the last connection ends', async () => {
        one.setConnected(playerOf(0), true)
        one.setConnected(playerOf(0), false)
        one.setConnected(playerOf(1), true)
        await heard.until(['playerSeen', playerOf(0)], ['playerSeen', playerOf(1)])
        expect(await elsewhere(two, 0, 1)).toEqual([playerOf(1)])
      })

      test('is forgotten when the node ends', async () => {
        one.setConnected(playerOf(0), true)
        await heard.until(['playerSeen', playerOf(0)])
        heard.all.length = 0
        await one.close()
        expect(await elsewhere(two, 0)).toEqual([])
        await heard.until(['playerSeen', playerOf(0)])
      })

      test('of a thousand players at once none is left out', async () => {
        const players = Array.from({ length: 1_000 }, (_, n) => n)
        for (const n of players) one.setConnected(playerOf(n), true)
        await heard.until(...players.map((n): HeardHint => ['playerSeen', playerOf(n)]))
        expect(await elsewhere(two, ...players)).toEqual(players.map(playerOf))
      })
    })

    test('a seat is hinted to the other, whatever it follows, and not to oneself', async () => {
      two.tellSeated(playerOf(1), roomOf(1))
      one.tellSeated(playerOf(0), roomOf(0))
      await heard.until(['playerSeated', playerOf(0), roomOf(0)])
      expect(heard.all).toEqual([['playerSeated', playerOf(0), roomOf(0)]])
    })

    test('that a game was handed on is hinted to the other who follows its room, and not to oneself', async () => {
      await Promise.all([one, two].map((store) => store.follow(roomOf(1))))
      two.tellHandedOn(roomOf(1))
      one.tellHandedOn(roomOf(1))
      await heard.until(['gameHandedOn', roomOf(1)])
      expect(heard.all).toEqual([['gameHandedOn', roomOf(1)]])
    })

    test('that the list of rooms changed is hinted to the other, and not to oneself', async () => {
      two.tellLobby()
      one.tellLobby()
      await heard.until(['lobbyChanged'])
      expect(heard.all).toEqual([['lobbyChanged']])
    })

    test('of seats that both note at once as many are kept as there may be', async () => {
      const rooms = Array.from({ length: 50 }, (_, n) => n)
      const noted = await Promise.all(
        rooms.map((n) => (n % 2 === 0 ? one : two).noteSeat(seatsOf(0), roomOf(n), 1, 30)),
      )
      expect(noted.filter((isNoted) => isNoted)).toHaveLength(30)
      expect((await two.notedSeats(seatsOf(0))).size).toBe(30)
    })

    test('a quota is one for both', async () => {
      const rate = { perSecond: 0.001, burst: 8 }
      const takes = Array.from({ length: 100 }, (_, n) =>
        (n % 2 === 0 ? one : two).take('guests', '::1', rate),
      )
      expect((await Promise.all(takes)).filter((waitMs) => waitMs === 0)).toHaveLength(8)
    })

    test('rooms are counted for both together', async () => {
      const rooms = Array.from({ length: 20 }, (_, n) => n)
      await Promise.all(
        rooms.map((n) => (n % 2 === 0 ? one : two).countRoom(playerOf(0), roomOf(n), 8)),
      )
      expect(await one.countRoom(playerOf(0), roomOf(99), 8)).toHaveLength(8)
    })

    test('a secret is the same for both, even if both make it at once', async () => {
      const secrets = await Promise.all([one.secret('a'), two.secret('a'), one.secret('a')])
      expect(new Set(secrets.map((secret) => Buffer.from(secret).toString('hex'))).size).toBe(1)
    })

    test('a player who was shut out at one is shut out at the other', async () => {
      await one.keepBan(playerOf(0), 'why')
      expect(await two.bans()).toEqual(new Map([[playerOf(0), 'why']]))
      expect(await two.dropBan(playerOf(0))).toBe(true)
      expect(await one.bans()).toEqual(new Map())
    })

    test('a player who was made at one is known at the other', async () => {
      const player = { id: playerOf(0), name: 'a', tokenHash: 'ab'.repeat(32), createdAt: 3 }
      await one.createPlayer(player)
      expect(await two.findPlayer(playerOf(0))).toEqual(player)
    })

    test('service time is the same for both, to the length of a round trip', async () => {
      const before = one.clock.now()
      const between = two.clock.now()
      const after = one.clock.now()
      expect(between).toBeGreaterThan(before - 1_000)
      expect(between).toBeLessThan(after + 1_000)
    })
  })
}
