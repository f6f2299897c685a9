import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MemoryStore } from '../../src/adapters/memory/memory-store.ts'
import { systemRng } from '../../src/adapters/system-rng.ts'
import type { AppendRequest, PlayerRecord, Store } from '../../src/ports.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { describeArchive } from './archive.contract.ts'
import { describeChat } from './chat.contract.ts'
import { describeFormations } from './formations.contract.ts'
import { botsOf, commandIdOf, playerOf, requestOf, roomOf, seatsOf } from './requests.ts'
import { describeScores } from './scores.contract.ts'

/** A place where a store is kept: what one store wrote there, the next one finds. */
export interface Place {
  open(): Promise<Store>
  /** How many keys there are besides those that every store has; null: not countable. */
  countKeys(): Promise<number | null>
  dispose(): Promise<void>
}

export interface ContractSubject {
  readonly name: string
  /** Whether what is written outlives the store. */
  readonly keeps: boolean
  /** An empty place. */
  readonly makePlace: () => Promise<Place>
  /** Whether what is asked for at once happens in that order, whatever the rooms; by default it does. */
  readonly isOrdered?: boolean
  /** How many sequences of operations are tried. */
  readonly runs: number
}

/** What every store does (DESIGN 4); each adapter is put through it. */
export function describeStore(subject: ContractSubject): void {
  const { name, keeps, makePlace, isOrdered = true, runs } = subject
  describe(name, () => {
    let place: Place
    let store: Store

    beforeEach(async () => {
      place = await makePlace()
      store = await place.open()
    })
    afterEach(async () => {
      await store.close()
      await place.dispose()
    })

    const reopen = async (): Promise<void> => {
      if (!keeps) return
      await store.close()
      store = await place.open()
    }

    /** Appends to the end of the log, whatever its version. */
    const append = async (number: number, change: Partial<AppendRequest> = {}): Promise<number> => {
      const expectedVersion = await store.version(roomOf(number))
      const result = await store.append(requestOf(number, { expectedVersion, ...change }))
      expect(result.type).toBe('appended')
      return result.version
    }

    describe('append', () => {
      test('versions are dense, from 1', async () => {
        for (const version of [1, 2, 3]) expect(await append(0)).toBe(version)
        expect(await store.version(roomOf(0))).toBe(3)
        expect(await store.version(roomOf(1))).toBe(0)
      })

      test('F-C1: another expected version is refused and changes nothing', async () => {
        await append(0, { deadline: 100, lobby: 'line' })
        const change = { data: 'other', deadline: 5, lobby: 'other', ended: 'other' }
        for (const expectedVersion of [0, 2, 7]) {
          const result = await store.append(requestOf(0, { expectedVersion, ...change }))
          expect(result).toEqual({ type: 'conflict', version: 1 })
        }
        expect(await store.append(requestOf(1, { expectedVersion: 3, ...change }))).toEqual({
          type: 'conflict',
          version: 0,
        })
        await reopen()
        expect(await store.read(roomOf(0), 0)).toEqual([{ version: 1, data: 'data' }])
        expect(await store.nextDeadline()).toBe(100)
        expect(await store.lobby(10)).toEqual([{ room: roomOf(0), entry: 'line' }])
        expect(await store.outbox(10)).toEqual([])
        expect(await store.version(roomOf(1))).toBe(0)
      })

      test('F-C1: of a hundred appends at once exactly one gets each version', async () => {
        for (let version = 1; version <= 5; version++) {
          const results = await Promise.all(
            Array.from({ length: 100 }, (_, n) =>
              store.append(requestOf(0, { expectedVersion: version - 1, data: `${version}:${n}` })),
            ),
          )
          const winners = results.flatMap((result, n) => (result.type === 'appended' ? [n] : []))
          expect(winners).toHaveLength(1)
          expect(results.every((result) => result.version === version)).toBe(true)
          expect(await store.read(roomOf(0), version - 1)).toEqual([
            { version, data: `${version}:${winners[0]}` },
          ])
        }
      })

      test('appends to many rooms at once do not get in each other’s way', async () => {
        const rooms = Array.from({ length: 100 }, (_, n) => n)
        for (let version = 1; version <= 3; version++) {
          const results = await Promise.all(
            rooms.map((n) =>
              store.append(requestOf(n, { expectedVersion: version - 1, data: `${n}:${version}` })),
            ),
          )
          expect(results).toEqual(rooms.map(() => ({ type: 'appended', version })))
        }
        await reopen()
        for (const n of rooms) {
          expect(await store.read(roomOf(n), 0)).toEqual(
            [1, 2, 3].map((version) => ({ version, data: `${n}:${version}` })),
          )
        }
      })

      test('appends that follow each other without waiting build on each other', async () => {
        const results = await Promise.all(
          Array.from({ length: 50 }, (_, n) => store.append(requestOf(0, { expectedVersion: n }))),
        )
        expect(results.map(({ version }) => version)).toEqual(results.map((_, n) => n + 1))
      })

      test('any text is kept as it is', async () => {
        const texts = ['', '{"a":1}', '军棋 ♟ 𝕏', 'two\nlines\n', '-', ' ', 'x'.repeat(100_000)]
        for (const data of texts) await append(0, { data, lobby: data, ended: data })
        await reopen()
        const log = await store.read(roomOf(0), 0)
        expect(log.map(({ data }) => data)).toEqual(texts)
        expect(await store.lobby(1)).toEqual([{ room: roomOf(0), entry: texts.at(-1) }])
        expect(await store.outbox(1)).toEqual([{ room: roomOf(0), ended: texts.at(-1) }])
      })
    })

    describe('read', () => {
      test('reads what comes after a version, in order', async () => {
        for (const data of ['a', 'b', 'c', 'd']) await append(0, { data })
        for (const data of ['x', 'y']) await append(1, { data })
        const versions = async (after: number): Promise<string[]> =>
          (await store.read(roomOf(0), after)).map(({ version, data }) => `${version}${data}`)
        expect(await versions(0)).toEqual(['1a', '2b', '3c', '4d'])
        expect(await versions(2)).toEqual(['3c', '4d'])
        expect(await versions(4)).toEqual([])
        expect(await versions(9)).toEqual([])
        expect(await store.read(roomOf(2), 0)).toEqual([])
      })
    })

    describe('command ids', () => {
      const command = (player: number, id: number): AppendRequest['command'] => ({
        player: playerOf(player),
        id: commandIdOf(id),
      })

      test('F-R2: a repeated command gets its first result and changes nothing', async () => {
        await append(0, { command: command(0, 0) })
        await append(0, { command: command(0, 1) })
        const again = requestOf(0, { expectedVersion: 2, command: command(0, 0), data: 'again' })
        expect(await store.append(again)).toEqual({ type: 'duplicate', version: 1 })
        await reopen()
        expect(await store.append({ ...again, expectedVersion: 0 })).toEqual({
          type: 'duplicate',
          version: 1,
        })
        expect(await store.version(roomOf(0))).toBe(2)
        expect(await store.accepted(roomOf(0), playerOf(0), commandIdOf(0))).toMatchObject({
          version: 1,
        })
        expect(await store.accepted(roomOf(0), playerOf(0), commandIdOf(1))).toMatchObject({
          version: 2,
        })
      })

      test('F-R2: of the same command sent a hundred times at once one is accepted', async () => {
        const request = requestOf(0, { expectedVersion: 0, command: command(0, 0) })
        const results = await Promise.all(Array.from({ length: 100 }, () => store.append(request)))
        expect(results.filter(({ type }) => type === 'appended')).toHaveLength(1)
        expect(results.filter(({ type }) => type === 'duplicate')).toHaveLength(99)
        expect(results.every(({ version }) => version === 1)).toBe(true)
      })

      test('what a command made, and what made a room, is found as it was written', async () => {
        await append(0, { command: command(0, 0), data: 'made' })
        await append(0, { command: command(1, 0), data: 'then' })
        await append(0, { data: 'last', deadline: null, lobby: null, ended: 'end' })
        for (const between of [async () => {}, reopen]) {
          await between()
          expect(await store.first(roomOf(0))).toEqual({ version: 1, data: 'made' })
          expect(await store.first(roomOf(1))).toBe(null)
          expect(await store.accepted(roomOf(0), playerOf(1), commandIdOf(0))).toEqual({
            version: 2,
            data: 'then',
          })
        }
        await store.remove(roomOf(0))
        expect(await store.first(roomOf(0))).toBe(null)
        expect(await store.accepted(roomOf(0), playerOf(1), commandIdOf(0))).toBe(null)
      })

      test('an id is one player’s in one room', async () => {
        await append(0, { command: command(0, 0) })
        await append(0, { command: command(1, 0) })
        await append(1, { command: command(0, 0) })
        expect(await store.accepted(roomOf(0), playerOf(1), commandIdOf(0))).toMatchObject({
          version: 2,
        })
        expect(await store.accepted(roomOf(1), playerOf(0), commandIdOf(0))).toMatchObject({
          version: 1,
        })
        expect(await store.accepted(roomOf(1), playerOf(1), commandIdOf(0))).toBe(null)
        expect(await store.accepted(roomOf(2), playerOf(0), commandIdOf(0))).toBe(null)
      })

      test('a refused command is not remembered', async () => {
        await append(0)
        await store.append(requestOf(0, { expectedVersion: 0, command: command(0, 0) }))
        expect(await store.accepted(roomOf(0), playerOf(0), commandIdOf(0))).toBe(null)
        await append(0, { command: command(0, 0) })
      })

      test.each([
        { when: 'at once', between: async () => {} },
        { when: 'after a restart', between: () => reopen() },
      ])('F-R2: the last 64 of a player are remembered, $when', async ({ between }) => {
        await append(0, { command: command(1, 0) })
        for (let id = 0; id < 65; id++) {
          await append(0, { command: command(0, id) })
          await append(0)
        }
        await between()
        expect(await store.accepted(roomOf(0), playerOf(0), commandIdOf(0))).toBe(null)
        expect(await store.accepted(roomOf(0), playerOf(0), commandIdOf(1))).toMatchObject({
          version: 4,
        })
        expect(await store.accepted(roomOf(0), playerOf(1), commandIdOf(0))).toMatchObject({
          version: 1,
        })
        const oldest = requestOf(0, { expectedVersion: 0, command: command(0, 1) })
        expect(await store.append(oldest)).toEqual({ type: 'duplicate', version: 4 })
        await append(0, { command: command(0, 0) })
        expect(await store.accepted(roomOf(0), playerOf(0), commandIdOf(1))).toBe(null)
      })

      test('F-R2: an end does not make a room forget', async () => {
        await append(0, { command: command(0, 0), deadline: 5, lobby: 'line' })
        await append(0, { command: command(0, 1), deadline: null, lobby: null, ended: 'end' })
        for (const between of [async () => {}, reopen]) {
          await between()
          const again = requestOf(0, { expectedVersion: 2, command: command(0, 1) })
          expect(await store.append(again)).toEqual({ type: 'duplicate', version: 2 })
          expect(await store.accepted(roomOf(0), playerOf(0), commandIdOf(0))).toMatchObject({
            version: 1,
          })
        }
      })
    })

    describe('deadlines', () => {
      test('F-T2: what is due comes earliest first, and stays due until it is replaced', async () => {
        await append(0, { deadline: 300 })
        await append(1, { deadline: 100 })
        await append(2, { deadline: 200 })
        await append(3, { deadline: null })
        await reopen()
        expect(await store.nextDeadline()).toBe(100)
        expect(await store.due(99, 10)).toEqual([])
        const due = [
          { room: roomOf(1), deadline: 100 },
          { room: roomOf(2), deadline: 200 },
        ]
        expect(await store.due(200, 10)).toEqual(due)
        expect(await store.due(200, 1)).toEqual(due.slice(0, 1))
        expect(await store.due(200, 10)).toEqual(due)
      })

      test('F-T2: an append replaces the deadline, or ends it', async () => {
        await append(0, { deadline: 100 })
        await append(0, { deadline: 500 })
        await append(1, { deadline: 200 })
        await append(1, { deadline: null })
        await reopen()
        expect(await store.due(499, 10)).toEqual([])
        expect(await store.nextDeadline()).toBe(500)
        await append(0, { deadline: null })
        expect(await store.nextDeadline()).toBe(null)
        await append(0, { deadline: 7 })
        await reopen()
        expect(await store.due(7, 10)).toEqual([{ room: roomOf(0), deadline: 7 }])
      })

      test('F-T1: of a move and its timeout at once exactly one happens', async () => {
        await append(0, { deadline: 100 })
        const [move, timeout] = await Promise.all([
          store.append(requestOf(0, { expectedVersion: 1, data: 'move', deadline: 200 })),
          store.append(requestOf(0, { expectedVersion: 1, data: 'timeout', deadline: 300 })),
        ])
        expect([move.type, timeout.type].sort()).toEqual(['appended', 'conflict'])
        const [entry] = await store.read(roomOf(0), 1)
        expect(entry?.data).toBe(move.type === 'appended' ? 'move' : 'timeout')
        expect(await store.nextDeadline()).toBe(move.type === 'appended' ? 200 : 300)
      })
    })

    describe('the lobby list', () => {
      const listed = async (limit = 10): Promise<string[]> =>
        (await store.lobby(limit)).map(({ entry }) => entry)

      test('shows the newest room first, whenever its line changed', async () => {
        for (const n of [0, 1, 2]) await append(n, { lobby: `room ${n}` })
        await append(0, { lobby: 'room 0, changed' })
        await reopen()
        expect(await listed()).toEqual(['room 2', 'room 1', 'room 0, changed'])
        expect(await listed(2)).toEqual(['room 2', 'room 1'])
      })

      test('a room leaves the list and comes back to its place', async () => {
        for (const n of [0, 1, 2]) await append(n, { lobby: `room ${n}` })
        await append(1, { lobby: null })
        expect(await listed()).toEqual(['room 2', 'room 0'])
        await reopen()
        expect(await listed()).toEqual(['room 2', 'room 0'])
        await append(1, { lobby: 'back' })
        expect(await listed()).toEqual(['room 2', 'back', 'room 0'])
        await reopen()
        expect(await listed()).toEqual(['room 2', 'back', 'room 0'])
      })
    })

    describe('drafts', () => {
      const save = (player: number, id: number, formation: string): Promise<void> =>
        store.saveDraft(roomOf(0), playerOf(player), commandIdOf(id), formation)
      const draft = (player: number): Promise<string | null> =>
        store.readDraft(roomOf(0), playerOf(player))

      test('each player of each room has one', async () => {
        await save(0, 0, 'first')
        await save(0, 1, 'second')
        await save(1, 0, 'other')
        await store.saveDraft(roomOf(1), playerOf(0), commandIdOf(0), 'elsewhere')
        await reopen()
        expect(await draft(0)).toBe('second')
        expect(await draft(1)).toBe('other')
        expect(await draft(2)).toBe(null)
        expect(await store.readDraft(roomOf(1), playerOf(0))).toBe('elsewhere')
      })

      test('F-R2: an older draft that is repeated does not take the newer one’s place', async () => {
        await Promise.all([save(0, 0, 'old'), save(0, 1, 'new'), save(0, 0, 'old')])
        expect(await draft(0)).toBe('new')
        await reopen()
        await save(0, 0, 'old')
        expect(await draft(0)).toBe('new')
        for (let id = 2; id < 65; id++) await save(0, id, `draft ${id}`)
        expect(await store.acceptedDraft(roomOf(0), playerOf(0), commandIdOf(0))).toBe(false)
        expect(await store.acceptedDraft(roomOf(0), playerOf(0), commandIdOf(1))).toBe(true)
        await save(0, 1, 'new')
        expect(await draft(0)).toBe('draft 64')
      })

      test('F-H9: drafts move nothing that others can see', async () => {
        await append(0, { deadline: 100, lobby: 'line' })
        await save(0, 0, 'secret')
        expect(await store.version(roomOf(0))).toBe(1)
        expect(await store.accepted(roomOf(0), playerOf(0), commandIdOf(0))).toBe(null)
        expect(
          JSON.stringify([await store.read(roomOf(0), 0), await store.lobby(9)]),
        ).not.toContain('secret')
      })
    })

    describe('ends of games', () => {
      test('stay in the outbox until they are settled, the oldest first', async () => {
        for (const n of [2, 0, 1]) await append(n, { ended: `end ${n}` })
        await reopen()
        const ends = [2, 0, 1].map((n) => ({ room: roomOf(n), ended: `end ${n}` }))
        expect(await store.outbox(10)).toEqual(ends)
        expect(await store.outbox(2)).toEqual(ends.slice(0, 2))
        await store.settle(roomOf(0))
        await store.settle(roomOf(0))
        await reopen()
        expect(await store.outbox(10)).toEqual([ends[0], ends[2]])
      })

      test('keep their order when the room of the last one is removed', async () => {
        for (const n of [0, 2]) await append(n, { ended: `end ${n}` })
        await store.remove(roomOf(2))
        await reopen()
        await append(1, { ended: 'end 1' })
        const rooms = (await store.outbox(10)).map(({ room }) => room)
        expect(rooms.filter((room) => room !== roomOf(2))).toEqual([roomOf(0), roomOf(1)])
        expect(rooms.at(-1)).toBe(roomOf(1))
      })
    })

    describe('failed rooms', () => {
      test('are never due or listed again', async () => {
        await append(0, { deadline: 100, lobby: 'line' })
        expect(await store.isFailed(roomOf(0))).toBe(false)
        await store.markFailed(roomOf(0))
        await append(0, { deadline: 50, lobby: 'again' })
        for (const between of [async () => {}, reopen]) {
          await between()
          expect(await store.isFailed(roomOf(0))).toBe(true)
          expect(await store.due(1_000, 10)).toEqual([])
          expect(await store.nextDeadline()).toBe(null)
          expect(await store.lobby(10)).toEqual([])
          expect(await store.isFailed(roomOf(1))).toBe(false)
        }
      })
    })

    describe('remove', () => {
      test('F-C6: a hundred rooms that are removed leave nothing behind', async () => {
        const before = await place.countKeys()
        const rooms = Array.from({ length: 100 }, (_, n) => n)
        for (const n of rooms) {
          const command = { player: playerOf(0), id: commandIdOf(0) }
          await append(n, { command, deadline: n, lobby: `line ${n}` })
          await append(n, { deadline: n % 2 === 0 ? null : n, lobby: null, ended: 'end' })
          await store.saveDraft(roomOf(n), playerOf(n), commandIdOf(1), 'draft')
          if (n % 3 === 0) await store.markFailed(roomOf(n))
        }
        await reopen()
        await Promise.all(rooms.map((n) => store.settle(roomOf(n))))
        await Promise.all(rooms.map((n) => store.remove(roomOf(n))))
        expect(await place.countKeys()).toBe(before)
        expect(await store.nextDeadline()).toBe(null)
        for (const n of [0, 1]) {
          expect(await store.version(roomOf(n))).toBe(0)
          expect(await store.read(roomOf(n), 0)).toEqual([])
          expect(await store.isFailed(roomOf(n))).toBe(false)
          expect(await store.readDraft(roomOf(n), playerOf(n))).toBe(null)
          expect(await store.accepted(roomOf(n), playerOf(0), commandIdOf(0))).toBe(null)
          expect(await append(n, { data: 'anew' })).toBe(1)
        }
      })

      test('takes nothing from other rooms', async () => {
        await append(0, { deadline: 1, lobby: 'a' })
        await append(1, { deadline: 2, lobby: 'b', data: 'kept' })
        await store.saveDraft(roomOf(1), playerOf(0), commandIdOf(0), 'kept')
        await store.remove(roomOf(0))
        await reopen()
        expect(await store.read(roomOf(1), 0)).toEqual([{ version: 1, data: 'kept' }])
        expect(await store.readDraft(roomOf(1), playerOf(0))).toBe('kept')
        expect(await store.due(9, 9)).toEqual([{ room: roomOf(1), deadline: 2 }])
        expect(await store.lobby(9)).toEqual([{ room: roomOf(1), entry: 'b' }])
      })

      test('of a room with appends on their way is one of the two orders', async () => {
        await append(0)
        const [, appended] = await Promise.all([
          store.remove(roomOf(0)),
          store.append(requestOf(0, { expectedVersion: 1 })),
        ])
        expect(await store.version(roomOf(0))).toBe(0)
        expect(appended.type === 'conflict' || appended.version === 2).toBe(true)
      })
    })

    describe('players and secrets', () => {
      const player = (number: number, name: string): PlayerRecord => ({
        id: playerOf(number),
        name,
        tokenHash: 'ab'.repeat(32),
        createdAt: 12,
      })

      test('a player is found again', async () => {
        await store.createPlayer(player(0, '张三 "Ж"'))
        await reopen()
        expect(await store.findPlayer(playerOf(0))).toEqual(player(0, '张三 "Ж"'))
        expect(await store.findPlayer(playerOf(1))).toBe(null)
      })

      test('an id that is taken stays with its player', async () => {
        await store.createPlayer(player(0, 'first'))
        await store.createPlayer({ ...player(0, 'second'), tokenHash: 'cd'.repeat(32) })
        expect(await store.findPlayer(playerOf(0))).toEqual(player(0, 'first'))
      })

      test('a player has a new name, and is otherwise who it was; nobody is made by it', async () => {
        await store.createPlayer(player(0, 'first'))
        await store.renamePlayer(playerOf(0), '张三')
        await store.renamePlayer(playerOf(1), 'nobody')
        await reopen()
        expect(await store.findPlayer(playerOf(0))).toEqual(player(0, '张三'))
        expect(await store.findPlayer(playerOf(1))).toBe(null)
      })

      test('who is shut out is found again, until it is let in', async () => {
        await store.keepBan(playerOf(0), 'for "ever" 永远')
        await store.keepBan(playerOf(1), 'first')
        await store.keepBan(playerOf(1), 'second')
        await store.keepBan(playerOf(2), 'third')
        expect(await store.dropBan(playerOf(2))).toBe(true)
        expect(await store.dropBan(playerOf(2))).toBe(false)
        await reopen()
        expect(await store.bans()).toEqual(
          new Map([
            [playerOf(0), 'for "ever" 永远'],
            [playerOf(1), 'second'],
          ]),
        )
        expect(await store.dropBan(playerOf(1))).toBe(true)
        expect([...(await store.bans()).keys()]).toEqual([playerOf(0)])
      })

      test('bots are found again, and no other player is one', async () => {
        const bot: PlayerRecord = { ...player(1, 'easy-1'), bot: 'easy' }
        await store.createPlayer(player(0, 'Ann'))
        await store.createPlayer(bot)
        await store.createPlayer(bot)
        await reopen()
        expect(await store.findPlayer(playerOf(1))).toEqual(bot)
        expect(await store.bots()).toEqual([{ id: playerOf(1), name: 'easy-1', bot: 'easy' }])
      })

      test('rooms are counted up to a limit, each once, until they are taken out', async () => {
        const count = (n: number) => store.countRoom(playerOf(0), roomOf(n), 2)
        expect(await count(0)).toEqual([roomOf(0)])
        expect(await count(0)).toEqual([roomOf(0)])
        expect(await count(1)).toEqual([roomOf(0), roomOf(1)])
        await reopen()
        expect(await count(2)).toEqual([roomOf(0), roomOf(1)])
        expect(await store.countRoom(playerOf(1), roomOf(2), 2)).toEqual([roomOf(2)])
        await store.uncountRoom(playerOf(0), roomOf(0))
        await store.uncountRoom(playerOf(0), roomOf(0))
        expect(await count(2)).toEqual([roomOf(1), roomOf(2)])
      })

      test('of a hundred rooms counted at once there are no more than the limit', async () => {
        const rooms = Array.from({ length: 100 }, (_, n) => roomOf(n))
        await Promise.all(rooms.map((room) => store.countRoom(playerOf(0), room, 8)))
        expect(await store.countRoom(playerOf(0), roomOf(999), 8)).toHaveLength(8)
      })

      test('F-C6: rooms that are counted no longer leave nothing behind', async () => {
        const before = await place.countKeys()
        await store.countRoom(playerOf(0), roomOf(0), 2)
        await store.uncountRoom(playerOf(0), roomOf(0))
        expect(await place.countKeys()).toBe(before)
      })

      test('seats are noted by room, with the highest version, until they are dropped', async () => {
        const note = (room: number, version: number) =>
          store.noteSeat(seatsOf(0), roomOf(room), version, 9)
        await Promise.all([note(0, 2), note(1, 7)])
        await note(0, 5)
        await note(0, 4)
        await store.noteSeat(seatsOf(1), roomOf(2), 1, 9)
        await reopen()
        const seats = async () => new Map([...(await store.notedSeats(seatsOf(0)))].sort())
        expect(await seats()).toEqual(
          new Map([
            [roomOf(0), 5],
            [roomOf(1), 7],
          ]),
        )
        await store.dropSeat(seatsOf(0), roomOf(0), 4)
        expect((await seats()).size).toBe(2)
        await store.dropSeat(seatsOf(0), roomOf(0), 5)
        await store.dropSeat(seatsOf(0), roomOf(0), 5)
        await store.dropSeat(seatsOf(9), roomOf(0), 5)
        await reopen()
        expect(await seats()).toEqual(new Map([[roomOf(1), 7]]))
      })

      test('seats of bots that a player asked for are noted apart from its own', async () => {
        await store.noteSeat(seatsOf(0), roomOf(0), 1, 1)
        await store.noteSeat(botsOf(0), roomOf(1), 2, 1)
        await reopen()
        expect(await store.notedSeats(seatsOf(0))).toEqual(new Map([[roomOf(0), 1]]))
        expect(await store.notedSeats(botsOf(0))).toEqual(new Map([[roomOf(1), 2]]))
        await store.dropSeat(botsOf(0), roomOf(1), 2)
        expect((await store.notedSeats(botsOf(0))).size).toBe(0)
        expect((await store.notedSeats(seatsOf(0))).size).toBe(1)
      })

      test('F-C6: seats that are dropped leave nothing behind', async () => {
        const before = await place.countKeys()
        for (const list of [seatsOf(0), botsOf(0)]) {
          await store.noteSeat(list, roomOf(0), 1, 9)
          await store.dropSeat(list, roomOf(0), 3)
          expect(await store.notedSeats(list)).toEqual(new Map())
        }
        expect(await place.countKeys()).toBe(before)
      })

      test('of a hundred seats noted at once none is missing', async () => {
        const rooms = Array.from({ length: 100 }, (_, n) => n)
        await Promise.all(rooms.map((n) => store.noteSeat(seatsOf(0), roomOf(n), n + 1, 100)))
        expect(new Map([...(await store.notedSeats(seatsOf(0)))].sort())).toEqual(
          new Map(rooms.map((n) => [roomOf(n), n + 1])),
        )
      })

      test('of a hundred seats at once as many are noted as there may be, and those that are there again', async () => {
        const rooms = Array.from({ length: 100 }, (_, n) => n)
        const note = (n: number) => store.noteSeat(seatsOf(0), roomOf(n), 1, 8)
        const noted = await Promise.all(rooms.map(note))
        expect(noted.filter((isNoted) => isNoted)).toHaveLength(8)
        expect((await store.notedSeats(seatsOf(0))).size).toBe(8)
        expect(await Promise.all(rooms.map(note))).toEqual(noted)
        const known = noted.indexOf(true)
        expect(await store.noteSeat(seatsOf(0), roomOf(known), 5, 8)).toBe(true)
        expect((await store.notedSeats(seatsOf(0))).get(roomOf(known))).toBe(5)
      })

      test('a quota gives what it has, then says how long to wait', async () => {
        const rate = { perSecond: 0.001, burst: 2 }
        const take = (key: string) => store.take('guests', key, rate)
        expect(await take('one')).toBe(0)
        expect(await take('one')).toBe(0)
        const waitMs = await take('one')
        expect(waitMs).toBeGreaterThan(900_000)
        expect(waitMs).toBeLessThanOrEqual(1_000_000)
        expect(await take('two')).toBe(0)
        expect(await store.take('rooms', 'one', rate)).toBe(0)
      })

      test('of a hundred takes at once as many succeed as there are tokens', async () => {
        const rate = { perSecond: 0.001, burst: 8 }
        const takes = Array.from({ length: 100 }, () => store.take('rooms', 'one', rate))
        expect((await Promise.all(takes)).filter((waitMs) => waitMs === 0)).toHaveLength(8)
      })

      test('a secret is made once for a name', async () => {
        const [first, same, other] = await Promise.all([
          store.secret('one'),
          store.secret('one'),
          store.secret('two'),
        ])
        expect(first).toHaveLength(32)
        expect(same).toEqual(first)
        expect(other).not.toEqual(first)
        await reopen()
        expect(await store.secret('one')).toEqual(first)
      })

      test('answers a ping', async () => {
        await store.ping()
      })
    })

    describeFormations(() => store, reopen)
    describeChat(() => store, reopen)
    describeArchive(() => store, reopen)
    describeScores(() => store, reopen)

    test('a log of ten thousand entries is read whole and from anywhere', async () => {
      for (let start = 0; start < 10_000; start += 1_000) {
        await Promise.all(
          Array.from({ length: 1_000 }, (_, n) =>
            store.append(requestOf(0, { expectedVersion: start + n, data: `${start + n}` })),
          ),
        )
      }
      await reopen()
      const log = await store.read(roomOf(0), 0)
      expect(log).toHaveLength(10_000)
      expect(log.every(({ version, data }, n) => version === n + 1 && data === `${n}`)).toBe(true)
      expect(await store.read(roomOf(0), 9_999)).toEqual([log.at(-1)])
    })

    test('any operations in any order answer as the model does', async () => {
      const operations = fc.array(operation, { minLength: 1, maxLength: 60 })
      await fc.assert(
        fc.asyncProperty(operations, async (list) => {
          const trial = await makePlace()
          let subject = await trial.open()
          const model = new MemoryStore({ clock: new FakeClock(), rng: systemRng })
          try {
            for (const run of list) {
              if (run === 'reopen') {
                if (!keeps) continue
                await subject.close()
                subject = await trial.open()
              } else {
                const answers = [await run(subject, isOrdered), await run(model, isOrdered)]
                expect(answers[0]).toEqual(answers[1])
              }
              expect(await standingOf(subject)).toEqual(await standingOf(model))
            }
          } finally {
            await subject.close()
            await trial.dispose()
          }
        }),
        { numRuns: runs },
      )
    })
  })
}

type Operation = 'reopen' | ((store: Store, isOrdered: boolean) => Promise<unknown>)

const ROOMS = [0, 1, 2]
const room = fc.nat(2).map(roomOf)
const player = fc.nat(1).map(playerOf)
const id = fc.nat(3).map(commandIdOf)
const text = fc.string({ unit: 'grapheme', maxLength: 12 })
const maybe = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> =>
  fc.option(value, { nil: null })

/** An append to the end of a log, or up to one version off, together with a second one. */
const append: fc.Arbitrary<Operation> = fc
  .record({
    room,
    off: fc.constantFrom(0, 0, 0, -1, 1),
    data: text,
    command: maybe(fc.record({ player, id })),
    deadline: maybe(fc.nat(20)),
    lobby: maybe(text),
    ended: fc.option(text, { nil: null, freq: 3 }),
    second: room,
  })
  .map(({ off, second, ...asked }) => async (store: Store, isOrdered: boolean) => {
    const request = { ...asked, previous: null }
    const expectedVersion = Math.max((await store.version(request.room)) + off, 0)
    const other = await store.version(second)
    const first = store.append({ ...request, expectedVersion })
    if (!isOrdered) await first
    return Promise.all([
      first,
      store.append({ ...request, room: second, expectedVersion: other, command: null }),
    ])
  })

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { arbitrary: append, weight: 12 },
  {
    arbitrary: fc
      .tuple(room, player, id, text)
      .map((draft) => (store: Store) => store.saveDraft(...draft)),
    weight: 3,
  },
  { arbitrary: room.map((room) => (store: Store) => store.remove(room)), weight: 1 },
  { arbitrary: room.map((room) => (store: Store) => store.markFailed(room)), weight: 1 },
  { arbitrary: room.map((room) => (store: Store) => store.settle(room)), weight: 1 },
  {
    arbitrary: fc
      .tuple(room, player, id)
      .map((command) => (store: Store) => store.accepted(...command)),
    weight: 3,
  },
  { arbitrary: fc.constant<Operation>('reopen'), weight: 2 },
)

/** All that can be asked of a store. */
async function standingOf(store: Store): Promise<unknown> {
  const rooms = ROOMS.map(async (number) => {
    const room = roomOf(number)
    const drafts = [0, 1].map((n) => store.readDraft(room, playerOf(n)))
    return [
      await store.version(room),
      await store.read(room, 0),
      await store.read(room, 2),
      await store.isFailed(room),
      await Promise.all(drafts),
    ]
  })
  return [
    await Promise.all(rooms),
    await store.due(10, 2),
    await store.due(20, 5),
    await store.nextDeadline(),
    await store.lobby(2),
    await store.outbox(5),
  ]
}
