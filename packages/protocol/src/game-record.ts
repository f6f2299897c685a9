import { RECORD_FORMAT } from '@junqi/engine'
import { z } from 'zod'
import { formation, layout, presetName, seat } from './primitives.ts'
import { ruleOptions } from './rule-set.ts'
import { seal } from './seal.ts'
import { gameResult } from './seat-view.ts'

const inRecord = {
  format: z.literal(RECORD_FORMAT),
  rules: z.strictObject({ preset: presetName, options: ruleOptions }),
  first: seat,
  actions: z.array(z.string()).describe('In order, such as `a6-a7`, `timeout south`.'),
  result: gameResult.nullable(),
  seal: seal.exactOptional().describe('What it was sealed with (R-SEAL-3); older games were not.'),
}

/** The answer of `GET /v1/games/:id/record`: a `junqi-record/1`. */
export const gameRecord = z
  .union([
    z.strictObject({ ...inRecord, formations: z.partialRecord(seat, formation) }),
    z.strictObject({ ...inRecord, layout }),
  ])
  .meta({
    id: 'GameRecord',
    description: 'A whole game as text; one of a flip game has its `layout` (R-FLIP-10).',
  })
