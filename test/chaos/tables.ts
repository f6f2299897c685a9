import type { TableWish } from '../support/crowd.ts'
import { lingering, thinking } from '../support/pace.ts'

/** Turns so long that no seat loses one while its player comes back, games so short that many end. */
const PATIENT = { turnSeconds: 600, bankSeconds: 60, resignFromMove: 10, maxMoves: 200 } as const
const OPTIONS = { ...PATIENT, deploymentSeconds: 1800 } as const
const THINKS_MS = 60

const brisk = (
  preset: 'siguo' | 'siguo-ally-open' | 'siguo-open',
  isPrivate: boolean,
): TableWish => ({
  room: { preset, options: OPTIONS, private: isPrivate },
  players: 4,
  pace: thinking(THINKS_MS),
})

const FLIP: TableWish = {
  room: { preset: 'flip', options: PATIENT, private: false },
  players: 2,
  pace: thinking(THINKS_MS),
}

const BRISK = [
  brisk('siguo', false),
  brisk('siguo-ally-open', true),
  brisk('siguo', true),
  brisk('siguo-open', false),
  FLIP,
]

/** Turns as short as they may be, moves that race with their ends, deployments that run out. */
const LINGERING: TableWish = {
  room: {
    preset: 'siguo',
    options: { turnSeconds: 5, deploymentSeconds: 10, timeoutForfeit: null, maxMoves: 100 },
    private: false,
  },
  players: 4,
  pace: lingering(THINKS_MS),
}

/** Nobody leaves or resigns, and nothing ends a game soon. */
const LONG: TableWish = {
  room: {
    preset: 'siguo',
    options: {
      ...OPTIONS,
      resignFromMove: 200,
      maxMoves: 250,
      quietMoveLimit: null,
      leaving: 'forfeit',
    },
    private: false,
  },
  players: 4,
  pace: thinking(THINKS_MS),
}

export const longTables = (count: number): readonly TableWish[] =>
  Array.from({ length: count }, () => LONG)

/** Four players at each; they do all kinds of things. */
export const briskTables = (count: number): readonly TableWish[] =>
  Array.from({ length: count }, (_, n) => BRISK[n % BRISK.length] ?? LINGERING)

export const lingeringTables = (count: number): readonly TableWish[] =>
  Array.from({ length: count }, () => LINGERING)
