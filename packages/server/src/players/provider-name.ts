import { LIMITS, playerName } from '@junqi/protocol'
import type { PlayerId } from '../ports.ts'

/** Where a token may have the name that others call its bearer by; of several the first that can be one. */
const CLAIMS = ['name', 'preferred_username'] as const
/** What a name cannot hold: control and formatting characters, halves of characters, those of nobody's script. */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu
const MANY_MARKS = /(\p{M}{4})\p{M}+/gu

/** The name of a provider's player: a claim, cut and cleaned by the rules that names have; without one, part of its id. */
export function providerName(claims: Readonly<Record<string, unknown>>, id: PlayerId): string {
  for (const claim of CLAIMS) {
    const name = playerName.safeParse(cleaned(claims[claim]))
    if (name.success) return name.data
  }
  return `player-${id.slice(0, 4)}`
}

function cleaned(claim: unknown): string {
  if (typeof claim !== 'string') return ''
  const kept = claim.normalize('NFC').replace(FORBIDDEN, '').replace(MANY_MARKS, '$1').trim()
  return [...kept].slice(0, LIMITS.nameLength).join('')
}
