import {
  ATTACK_OUTCOMES,
  COLOURS,
  ELIMINATION_REASONS,
  END_REASONS,
  PIECE_KINDS,
  PIECE_SYMBOLS,
  PRESET_NAMES,
  SEATS,
} from '@junqi/engine'
import { z } from 'zod'
import { playerId } from './ids.ts'
import { LIMITS } from './limits.ts'

export const seat = z.enum(SEATS).meta({ id: 'Seat' })
export const pieceKind = z.enum(PIECE_KINDS).meta({ id: 'PieceKind' })
export const colour = z
  .enum(COLOURS)
  .meta({ id: 'Colour', description: 'The two colours of a flip game (R-FLIP-3).' })
export const attackOutcome = z.enum(ATTACK_OUTCOMES).meta({ id: 'AttackOutcome' })
export const eliminationReason = z.enum(ELIMINATION_REASONS).meta({ id: 'EliminationReason' })
export const endReason = z.enum(END_REASONS).meta({ id: 'EndReason' })
export const presetName = z.enum(PRESET_NAMES).meta({ id: 'PresetName' })

export const spaceId = z
  .string()
  .regex(/^[a-q](?:[1-9]|1[0-7])$/, 'a space is a column a..q and a row 1..17, such as "g12"')
  .meta({
    id: 'SpaceId',
    description: 'Column and row, `a1` to `q17`. Whether the board has it is for the rules to say.',
  })

export const formationInput = z
  .string()
  .min(25, 'a formation has 25 symbols')
  .max(30, 'a formation has 25 symbols')
  .meta({
    id: 'FormationInput',
    description: '25 symbols, front row first; `/` is allowed between rows (R-DEPLOY-5).',
  })
export const formation = z
  .string()
  .regex(/^[1-9BLF]{25}$/, 'a formation has 25 of the symbols 9 8 7 6 5 4 3 2 1 B L F')
  .meta({ id: 'Formation', description: '25 symbols, front row first (R-DEPLOY-5).' })

/** How many there are, and of what, is for the rules. */
export const layout = z.array(z.templateLiteral([z.enum(COLOURS), z.enum(PIECE_SYMBOLS)])).meta({
  id: 'Layout',
  description:
    'What lay where as a flip game started: colour and symbol, such as `r9`, rows 1 to 12, columns a to e, camps left out (R-FLIP-10).',
})

/** As clients send them: names and values are judged by the rules, which say what would be right. */
export const ruleOptionsInput = z
  .record(
    z.string().max(40, "an option's name has at most 40 characters"),
    z.union(
      [z.string().max(40), z.number(), z.boolean(), z.null()],
      'an option is text of at most 40 characters, a number, true, false or null',
    ),
  )
  .refine((options) => Object.keys(options).length <= 40, 'at most 40 options')
  .meta({
    id: 'RuleOptionsInput',
    description: 'Fields of the RuleSet that differ from the preset; `{}` for none.',
  })

/** At most four marks on one letter, whatever joiners stand between: more of them reach over what is beside. */
export const FEW_MARKS = /^(?!.*\p{M}(?:\u200d*\p{M}){4})/u

/**
 * 1 to 24 characters (code points) after trimming, in normal form C, without control or direction characters and with few
 * marks on a letter; one at least can be seen.
 */
export const playerName = z
  .string()
  .max(200)
  .transform((text) => text.normalize('NFC').trim())
  .pipe(
    z
      .string()
      .min(1, 'a name has at least one character')
      .refine(
        (text) => [...text].length <= LIMITS.nameLength,
        `a name has at most ${LIMITS.nameLength} characters`,
      )
      .regex(
        /^[^\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]+$/u,
        'a name holds no control or formatting characters',
      )
      .regex(FEW_MARKS, 'a name has at most four marks on one letter')
      .regex(
        /[^\s\u2800\p{Default_Ignorable_Code_Point}]/u,
        'a name has a character that can be seen',
      ),
  )

export const serverTime = z.number().int().nonnegative().meta({
  id: 'ServerTime',
  description: "Milliseconds on the server's own clock, which stands still while it is down.",
})
export const version = z
  .number()
  .int()
  .nonnegative()
  .meta({ id: 'Version', description: "Entries in the room's log: 1, 2, 3 ..." })
export const turn = z
  .number()
  .int()
  .nonnegative()
  .meta({ id: 'Turn', description: 'Turns completed in the game, moves and skips.' })

export const BOT_LEVELS = ['easy', 'normal', 'hard'] as const
export type BotLevel = (typeof BOT_LEVELS)[number]
export const botLevel = z.enum(BOT_LEVELS).meta({ id: 'BotLevel' })

export const player = z
  .strictObject({
    id: playerId,
    name: z.string(),
    bot: botLevel
      .exactOptional()
      .describe(
        'The player is a program of the deployer’s, and plays so well. Not there: a person, or anybody’s program.',
      ),
  })
  .meta({ id: 'Player', description: 'A player, as everyone sees it.' })
export type Player = Readonly<z.infer<typeof player>>
