import { describe, expect, test } from 'vitest'
import type { Store } from '../../src/ports.ts'
import { playerOf } from './requests.ts'

const [ANN, BOB] = [playerOf(1), playerOf(2)]
const LIMIT = 3

/** FormationStore, as every store does it. */
export function describeFormations(store: () => Store, reopen: () => Promise<void>): void {
  describe('formations', () => {
    const keep = (name: string, formation = 'formation', player = ANN) =>
      store().keepFormation(player, { name, formation }, LIMIT)
    const namesOf = async (player = ANN) =>
      [...(await store().keptFormations(player)).named.keys()].sort()

    test('are kept by name for their player alone', async () => {
      expect(await keep('攻击 阵', 'one')).toBe(true)
      expect(await keep('n l', 'two')).toBe(true)
      expect(await keep('攻击 阵', 'three', BOB)).toBe(true)
      await reopen()
      expect(await store().keptFormations(ANN)).toEqual({
        named: new Map([
          ['攻击 阵', 'one'],
          ['n l', 'two'],
        ]),
        last: new Map(),
      })
      expect((await store().keptFormations(BOB)).named).toEqual(new Map([['攻击 阵', 'three']]))
      expect((await store().keptFormations(playerOf(3))).named).toEqual(new Map())
    })

    test('of one name the newest is kept', async () => {
      await keep('a', 'one')
      await keep('a', 'two')
      expect((await store().keptFormations(ANN)).named).toEqual(new Map([['a', 'two']]))
    })

    test('of twenty at once as many are kept as there is place for; the others change nothing', async () => {
      const kept = await Promise.all(Array.from({ length: 20 }, (_, n) => keep(`${n}`)))
      expect(kept.filter((isKept) => isKept)).toHaveLength(LIMIT)
      expect(await namesOf()).toEqual(kept.flatMap((isKept, n) => (isKept ? [`${n}`] : [])).sort())
      await reopen()
      expect(await keep('another')).toBe(false)
      expect(await keep((await namesOf())[0] ?? '', 'new')).toBe(true)
    })

    test('one that is dropped makes place', async () => {
      for (const name of ['a', 'b', 'c']) await keep(name)
      expect(await store().dropFormation(ANN, 'b')).toBe(true)
      expect(await store().dropFormation(ANN, 'b')).toBe(false)
      expect(await store().dropFormation(BOB, 'a')).toBe(false)
      expect(await keep('d')).toBe(true)
      await reopen()
      expect(await namesOf()).toEqual(['a', 'c', 'd'])
    })

    test('what was last handed in is kept by preset, and takes no place', async () => {
      await store().keepLastFormation(ANN, 'siguo', 'one')
      await store().keepLastFormation(ANN, 'duel', 'two')
      await store().keepLastFormation(ANN, 'siguo', 'three')
      for (const name of ['a', 'b', 'c']) expect(await keep(name)).toBe(true)
      await store().dropFormation(ANN, 'siguo')
      await reopen()
      expect((await store().keptFormations(ANN)).last).toEqual(
        new Map([
          ['siguo', 'three'],
          ['duel', 'two'],
        ]),
      )
      expect((await store().keptFormations(BOB)).last).toEqual(new Map())
    })
  })
}
