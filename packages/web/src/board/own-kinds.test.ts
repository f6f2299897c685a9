import { PRESETS, type Seat } from '@junqi/engine'
import { expect, test } from 'vitest'
import { ownKinds } from './own-kinds.ts'

/** R-DEPLOY-5: the front row first, from the owner's left. South's is a6 to e6, North's e7 to a7. */
const formation = '9877665544333222111BBLLLF'

test.each<[Seat, readonly string[]]>([
  ['south', ['fieldMarshal', 'majorGeneral']],
  ['north', ['brigadier']],
  ['east', []],
])('of pieces that fell, %s is told the kinds of its own', (seat, kinds) => {
  const fallen = ['south:a6', 'north:a7', 'south:c6'] as const
  expect(ownKinds(PRESETS.duel, { seat, formation }, fallen)).toEqual(kinds)
})
