import { z } from 'zod'
import type { Immutable } from './immutable.ts'
import { FEW_MARKS } from './primitives.ts'

/** Who talks to whom (R-CHAT-1). */
export const CHANNELS = ['room', 'table', 'alliance', 'spectators'] as const
export const channel = z.enum(CHANNELS).meta({
  id: 'Channel',
  description:
    '`room`: everybody, before the game and after it. While it runs: `table` the players, `alliance` allies, `spectators` those without a seat.',
})
export type Channel = z.infer<typeof channel>

/** Characters (code points) of what is said. */
export const CHAT_LENGTH = 200

/** What can be said by key, so that each client shows it in its own language; what it means, for whoever has no better words. */
export const PHRASES = {
  hello: { en: 'Hello!', zh: '大家好！' },
  goodLuck: { en: 'Good luck, have fun.', zh: '祝各位好运！' },
  goodGame: { en: 'Good game.', zh: '下得好，承让了。' },
  thanks: { en: 'Thank you.', zh: '谢谢！' },
  sorry: { en: 'Sorry.', zh: '不好意思。' },
  wellPlayed: { en: 'Well played!', zh: '好棋！' },
  hurry: { en: 'Please hurry up.', zh: '快点吧，花儿都等谢了。' },
  wait: { en: 'One moment, please.', zh: '稍等一下。' },
  back: { en: 'I am back.', zh: '我回来了。' },
  again: { en: 'Another game?', zh: '再来一局？' },
  draw: { en: 'Shall we call it a draw?', zh: '和棋吧？' },
  yes: { en: 'Yes.', zh: '好的。' },
  no: { en: 'No.', zh: '不行。' },
  attackLeft: { en: 'Attack the left-hand neighbour.', zh: '打上家。' },
  attackRight: { en: 'Attack the right-hand neighbour.', zh: '打下家。' },
  defend: { en: 'Defend!', zh: '注意防守！' },
  helpMe: { en: 'Help me!', zh: '快来支援！' },
  coverMe: { en: 'I go, cover me.', zh: '我上，掩护我。' },
  fallBack: { en: 'Fall back.', zh: '撤回来。' },
  watchFlag: { en: 'Look after your flag.', zh: '看好军旗！' },
} as const satisfies Record<string, { readonly en: string; readonly zh: string }>
export type Phrase = keyof typeof PHRASES

export const phrase = z
  .enum(Object.keys(PHRASES) as [Phrase, ...Phrase[]])
  .meta({ id: 'Phrase', description: 'Something said by its key; each client has its own words.' })

/**
 * R-CHAT-7. One line of plain text, 1 to 200 code points after trimming, in normal form C. Refused: control characters (line breaks
 * too) and formatting ones, which turn the direction of what follows or cannot be seen (of these only the joiner of emoji is
 * allowed); halves of surrogate pairs, private and no characters; more than four marks on one letter; what shows nothing.
 */
export const chatText = z
  .string()
  .max(800, `a message has at most ${CHAT_LENGTH} characters`)
  .transform((text) => text.normalize('NFC').trim())
  .pipe(
    z
      .string()
      .refine(
        (text) => text !== '' && [...text].length <= CHAT_LENGTH,
        `a message has 1 to ${CHAT_LENGTH} characters`,
      )
      .regex(
        /^(?:\u200d|[^\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}])+$/u,
        'a message is one line without control or formatting characters',
      )
      .regex(FEW_MARKS, 'a message has at most four marks on one letter')
      .regex(
        /[^\s\u2800\p{M}\p{Default_Ignorable_Code_Point}]/u,
        'a message has a character that can be seen',
      ),
  )

/** Where a client is in what was said: it has everything up to this number. */
export const chatPosition = z
  .strictObject({
    channel,
    part: z.number().int().nonnegative(),
    number: z.number().int().nonnegative(),
  })
  .meta({ id: 'ChatPosition', description: 'The last message of a channel that the client has.' })
export type ChatPosition = Immutable<z.infer<typeof chatPosition>>
