import type { Mutation } from '../mutation.ts'
import { PROTOCOL, ROOM } from './places.ts'

const TEST = `${ROOM}/sealing.test.ts`

/** What a game is sealed with, before it may be opened (R-SEAL-2). */
export const SEALED: readonly Mutation[] = [
  {
    fault: 'F-H2',
    plants: 'views show the salts while the game runs',
    file: `${ROOM}/sealing.ts`,
    find: 'salts: mayKnowSalts(game) ? salts : null',
    replace: 'salts: mayKnowSalts(game) ? salts : salts',
    test: TEST,
  },
  {
    fault: 'F-H2',
    plants: 'the event of the start is told as the log has it',
    file: `${ROOM}/view-entry.ts`,
    find: "return [{ type: 'gameSealed', commitments: event.commitments }]",
    replace: 'return [event]',
    test: TEST,
  },
  {
    fault: 'F-H9',
    plants: 'commitments are without their salts',
    file: `${PROTOCOL}/src/seal.ts`,
    find: 'sha256(concatBytes(hexToBytes(salt), text))',
    replace: 'sha256(concatBytes(hexToBytes(salt).subarray(32), text))',
    test: TEST,
  },
  {
    fault: 'F-H9',
    plants: 'one salt is for all that is sealed',
    file: `${ROOM}/sealing.ts`,
    find: "const salts = SEALABLES.map((name) => [name, Buffer.from(rng.bytes(SALT_BYTES)).toString('hex')])",
    replace:
      "const salt = Buffer.from(rng.bytes(SALT_BYTES)).toString('hex')\n  const salts = SEALABLES.map((name) => [name, salt])",
    test: TEST,
  },
  {
    fault: 'F-H9',
    plants: 'the salts of every game are the same',
    file: `${ROOM}/sealing.ts`,
    find: 'Buffer.from(rng.bytes(SALT_BYTES))',
    replace: 'Buffer.alloc(rng.bytes(SALT_BYTES).length, name)',
    test: TEST,
  },
]
