import { expect, test } from 'vitest'
import { playerName } from './primitives.ts'

test.each([['\u3164'], ['\u115f\u1160'], ['\uffa0 \uffa0'], ['\u2800'], ['\ufe0f']])(
  'a name of which nothing can be seen is refused: %j',
  (name) => {
    expect(playerName.safeParse(name).error?.issues[0]?.message).toBe(
      'a name has a character that can be seen',
    )
  },
)

test.each([['ㅤ한'], ['❤️'], ['军旗']])(
  'a name of which something can be seen is taken: %s',
  (name) => {
    expect(playerName.parse(name)).toBe(name)
  },
)

test('a name is as long as it has characters, whatever units they take', () => {
  expect(playerName.safeParse('🚩'.repeat(24)).success).toBe(true)
  expect(playerName.safeParse('🚩'.repeat(25)).success).toBe(false)
})
