import type { Player } from '@junqi/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { playerNumber } from '../../test/support/players.ts'
import { SHOWN_ROOMS, sharedOut } from './lobby-share.ts'

/** Rooms of these hosts, the newest first. */
const linesOf = (hosts: readonly number[]) =>
  hosts.map((host, n) => ({ n, listed: { host: playerNumber(host).id, seats: seatsOf(null) } }))

const seatsOf = (player: Player | null) => [{ seat: 'south', player }] as const

const hostsOf = (lines: readonly ReturnType<typeof linesOf>[number][]) =>
  new Set(lines.map((line) => line.listed.host))

test('a list that is short enough is shown whole', () => {
  const lines = linesOf(Array.from({ length: SHOWN_ROOMS }, () => 1))
  expect(sharedOut(lines)).toEqual(lines)
})

test('however many rooms some hosts have made since, those of the others are shown', () => {
  const flood = Array.from({ length: 900 }, (_, n) => n % 100)
  const others = Array.from({ length: 100 }, (_, n) => 100 + n)
  const shown = sharedOut(linesOf([...flood, ...others]))
  expect(shown).toHaveLength(SHOWN_ROOMS)
  expect(hostsOf(shown).size).toBe(200)
})

test('however many hosts make a room and do not sit down in it, those where somebody sits are shown', () => {
  const flood = linesOf(Array.from({ length: 300 }, (_, n) => n))
  const others = linesOf([500, 501]).map(({ n, listed }) => ({
    n: 1000 + n,
    listed: { ...listed, seats: seatsOf(playerNumber(7)) },
  }))
  const shown = sharedOut([...flood, ...others])
  expect(shown).toHaveLength(SHOWN_ROOMS)
  expect(shown.slice(-2)).toEqual(others)
})

test('what is shown is as much as fits, in its order; of a host the newest, and no more than another one lacks', () => {
  const hosts = fc.array(fc.nat(40), { minLength: SHOWN_ROOMS + 1, maxLength: 400 })
  fc.assert(
    fc.property(hosts, (some) => {
      const lines = linesOf(some)
      const shown = sharedOut(lines)
      expect(shown).toHaveLength(SHOWN_ROOMS)
      expect(shown.map(({ n }) => n)).toEqual(shown.map(({ n }) => n).toSorted((a, b) => a - b))
      const most = Math.max(...[...hostsOf(shown)].map((host) => countOf(shown, host)))
      for (const host of hostsOf(lines)) {
        const own = lines.filter((line) => line.listed.host === host)
        const count = countOf(shown, host)
        expect(shown.filter((line) => line.listed.host === host)).toEqual(own.slice(0, count))
        expect(count).toBeGreaterThanOrEqual(Math.min(own.length, most - 1))
      }
    }),
  )
})

const countOf = (lines: readonly ReturnType<typeof linesOf>[number][], host: string): number =>
  lines.filter((line) => line.listed.host === host).length
