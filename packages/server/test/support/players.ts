import { type Player, playerId } from '@junqi/protocol'

const NAMES = ['Ann', 'Bo', 'Cai', 'Dee', 'Eve', 'Fay', 'Gus', 'Hal'] as const

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'
const inBase32 = (n: number): string =>
  n < 32 ? DIGITS.charAt(n) : inBase32(Math.floor(n / 32)) + DIGITS.charAt(n % 32)

/** A player for each number, always the same. */
export const playerNumber = (n: number): Player => ({
  id: playerId.parse(inBase32(n).padStart(12, '0')),
  name: NAMES[n % NAMES.length] ?? 'Ann',
})

export const ANN = playerNumber(0)
export const BO = playerNumber(1)
export const CAI = playerNumber(2)
export const DEE = playerNumber(3)
export const EVE = playerNumber(4)

/** Numbers from 0 up to 1 that are the same in every run. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
