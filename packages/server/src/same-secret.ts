import { timingSafeEqual } from 'node:crypto'

/** Compares secrets in a time that does not depend on where they differ. How long they are is told: no secret. */
export function isSameSecret(one: string, other: string): boolean {
  const [known, offered] = [Buffer.from(one), Buffer.from(other)]
  return known.length === offered.length && timingSafeEqual(known, offered)
}
