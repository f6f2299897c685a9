/** Replies of Redis, looked at before they are believed. What is of another form is a bug. */

export function integerOf(reply: unknown): number {
  if (typeof reply === 'number' && Number.isSafeInteger(reply)) return reply
  throw new Error(`Redis answered with ${typeof reply} instead of an integer`)
}

export function textOf(reply: unknown): string {
  if (typeof reply === 'string') return reply
  throw new Error(`Redis answered with ${typeof reply} instead of text`)
}

/** null: there is none. */
export function maybeTextOf(reply: unknown): string | null {
  return reply === null ? null : textOf(reply)
}

export function listOf(reply: unknown): readonly unknown[] {
  if (Array.isArray(reply)) return reply
  throw new Error(`Redis answered with ${typeof reply} instead of a list`)
}

export function textsOf(reply: unknown): readonly string[] {
  return listOf(reply).map(textOf)
}

export interface Ranked {
  readonly member: string
  readonly score: number
}

/** Members, each followed by its score; as pairs or not, as the version of the protocol has it. */
export function rankedOf(reply: unknown): readonly Ranked[] {
  const flat = textsOf(listOf(reply).flat())
  return flat.flatMap((member, at) =>
    at % 2 === 0 ? [{ member, score: scoreOf(flat[at + 1]) }] : [],
  )
}

export function scoreOf(reply: unknown): number {
  const score = Number(textOf(reply))
  if (Number.isNaN(score)) throw new Error('Redis answered with a score that is no number')
  return score
}
