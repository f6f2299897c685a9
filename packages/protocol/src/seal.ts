import {
  type GameStarted,
  invariant,
  type PerSealed,
  type RuleSet,
  SEALABLES,
  type Seal,
  type Sealable,
  sealedIn,
  sealedText,
} from '@junqi/engine'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { z } from 'zod'
import type { Immutable } from './immutable.ts'

/** 32 bytes: a commitment, or a salt. */
const digest = z.string().regex(/^[0-9a-f]{64}$/, 'a commitment or a salt is 64 digits of hex')

const sealable = z.enum(SEALABLES)

export const commitments = z
  .partialRecord(sealable, digest)
  .describe('By what is sealed: each seat of the game, or `layout` in a flip game; and `first`.')
export const salts = z
  .partialRecord(sealable, digest)
  .describe('Of the same. 32 random bytes each, told when the game has ended (R-SEAL-2).')

/** All that is told of a seal in the end. */
export const seal = z.strictObject({ commitments, salts })

export const sealView = z
  .strictObject({
    commitments,
    salts: salts.nullable().describe('Null while the game runs.'),
  })
  .meta({ id: 'SealView', description: 'What the game was sealed with at its start (R-SEAL).' })
export type SealView = Immutable<z.infer<typeof sealView>>

type Start = Pick<GameStarted, 'formations' | 'layout' | 'first'>

/** SHA-256 of the salt's bytes and the text that is committed to, in hex (R-SEAL-1). */
export function commitmentTo(name: Sealable, start: Start, salt: string): string {
  const text = utf8ToBytes(sealedText(name, start))
  return bytesToHex(sha256(concatBytes(hexToBytes(salt), text)))
}

/** Seals the start of a game, with a salt for each thing that is sealed. */
export function sealOf(ruleSet: RuleSet, start: Start, salts: PerSealed): Seal {
  const sealed = sealedIn(ruleSet).map((name) => {
    const salt = salts[name]
    invariant(salt !== undefined, `there is no salt for ${name}`)
    return { name, salt, commitment: commitmentTo(name, start, salt) }
  })
  return {
    commitments: Object.fromEntries(sealed.map(({ name, commitment }) => [name, commitment])),
    salts: Object.fromEntries(sealed.map(({ name, salt }) => [name, salt])),
  }
}
