import { readFileSync } from 'node:fs'
import type { JsonObject } from './json.ts'

export const SEATS = ['south', 'east', 'north', 'west'] as const
export type Seat = (typeof SEATS)[number]
export type Viewer = Seat | 'spectator'
export type Formations = Readonly<Record<Seat, string>>

/** A recorded game of four seats (`junqi-record/1`). */
export interface SiguoRecord {
  readonly format: string
  readonly rules: { readonly preset: string; readonly options: JsonObject }
  readonly formations: Formations
  readonly first: Seat
  readonly actions: readonly string[]
  readonly result: { readonly winners: readonly Seat[]; readonly reason: string }
}

/** The nine sample games: data/game-N.json is what `junqi convert` prints of game-N.jgs. */
export const GAMES = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const

export function readGame(number: (typeof GAMES)[number]): SiguoRecord {
  const url = new URL(`data/game-${number}.json`, import.meta.url)
  const record: SiguoRecord = JSON.parse(readFileSync(url, 'utf8'))
  return record
}

export const isSeat = (text: unknown): text is Seat => SEATS.some((seat) => seat === text)

export const allyOf = (seat: Seat): Seat => {
  const allies = { south: 'north', north: 'south', east: 'west', west: 'east' } as const
  return allies[seat]
}
