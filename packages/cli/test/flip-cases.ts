import { readFileSync } from 'node:fs'
import type { RecordCase } from './play-cases.ts'

/** A flip game of the vectors, and its trace. */
export interface FlipCase {
  readonly record: RecordCase['record'] & { readonly layout: readonly string[] }
  readonly trace: readonly object[]
}

export const FLIP_CASES: readonly FlipCase[] = JSON.parse(
  readFileSync(new URL('../../engine/test/data/flip-traces.json', import.meta.url), 'utf8'),
)

/** Whether it is soon over: of few actions, and of few turns that run out. */
export const isShortFlip = ({ record: { actions } }: FlipCase): boolean =>
  actions.length <= 110 && actions.filter((action) => action.startsWith('timeout')).length <= 1
