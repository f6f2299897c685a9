import { z } from 'zod'
import { presetName, seat } from './primitives.ts'

const seconds = (min: number, max: number) => z.number().int().min(min).max(max)

export const ruleSet = z
  .strictObject({
    board: z.enum(['siguo', 'duel']),
    seats: z.array(seat),
    alliances: z.array(z.array(seat)),
    visibility: z.enum(['allDark', 'allyOpen', 'allOpen']),
    turnOrder: z.enum(['counterclockwise', 'clockwise']),
    firstSeat: z.union([seat, z.literal('random')]),
    emptyTerritory: z.enum(['open', 'closed']),
    turnSeconds: seconds(5, 600),
    bankSeconds: seconds(0, 3600),
    deploymentSeconds: seconds(10, 1800),
    timeoutForfeit: z.number().int().min(1).max(99).nullable(),
    quietMoveLimit: z.number().int().min(1).max(999).nullable(),
    maxMoves: z.number().int().min(1).max(999).nullable(),
    resignFromMove: z.number().int().min(0).max(200),
    landmine: z.enum(['stands', 'mutual', 'explodes', 'repels']),
    fieldMarshalRepelled: z.boolean(),
    bombFrontRow: z.boolean(),
    flyingBomb: z.boolean(),
    flagCapture: z.enum(['any', 'notFieldMarshal', 'engineerOnly']),
    railTurn: z.enum(['curve', 'straight', 'rightAngle']),
    leaveHeadquarters: z.boolean(),
    engineerScout: z.boolean(),
    fieldMarshalDeathRevealsFlag: z.boolean(),
    eliminatedView: z.enum(['ally', 'own', 'public']),
    leaving: z.enum(['endsGame', 'forfeit']),
    flipColour: z.enum(['engineer', 'twoInARow', 'first']).exactOptional(),
    flipMines: z.enum(['engineersAndBombs', 'engineers']).exactOptional(),
    flipFlag: z.enum(['smallest', 'engineer', 'any']).exactOptional(),
    scoring: z.enum(['qq', 'none']),
    scoreFloor: z.number().int().nullable(),
  })
  .meta({
    id: 'RuleSet',
    description:
      'Every variant of the rules that a game is played by (docs/rules.md). The flip game, and no other, has the fields `flipColour`, `flipMines` and `flipFlag`.',
  })

export const ruleOptions = ruleSet
  .omit({ board: true, seats: true, alliances: true })
  .exactPartial()
  .meta({ id: 'RuleOptions', description: 'The fields of the preset that the host overrode.' })

export const rules = z.strictObject({ preset: presetName, options: ruleOptions, ruleSet }).meta({
  id: 'Rules',
  description: 'A preset, what the host overrode, and the rules that follow from both.',
})
