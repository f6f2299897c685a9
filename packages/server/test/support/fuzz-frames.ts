import { PIECE_SYMBOLS, PRESET_NAMES, SEATS } from '@junqi/engine'
import fc from 'fast-check'

/** What a fuzzing client sends: text, or bytes to be sent as a binary frame. */
export type FuzzFrame = string | Uint8Array

const seat = fc.constantFrom(...SEATS)
const preset = fc.constantFrom(...PRESET_NAMES)
const space = fc
  .tuple(fc.constantFrom(...'abcdefghijklmnopq'), fc.integer({ min: 1, max: 17 }))
  .map(([column, row]) => `${column}${row}`)
const formation = fc
  .array(fc.constantFrom(...PIECE_SYMBOLS), { minLength: 25, maxLength: 25 })
  .map((symbols) => symbols.join(''))
const small = fc.nat({ max: 30 })
const options = fc.dictionary(
  fc.constantFrom('turnSeconds', 'bankSeconds', 'visibility', 'railTurn', 'nonsense'),
  fc.oneof(
    fc.nat(),
    fc.boolean(),
    fc.constantFrom('allDark', 'allOpen', 'rounded'),
    fc.constant(null),
  ),
  { maxKeys: 2 },
)

/** Messages of every type that are in order, about rooms that exist and rooms that do not. `id` is set later. */
function validMessages(rooms: readonly string[], players: readonly string[]) {
  const room = fc.constantFrom(...rooms, 'zzzzzzzz')
  const invitation = fc.constant('A'.repeat(22))
  const message = <T extends Record<string, fc.Arbitrary<unknown>>>(type: string, fields: T) =>
    fc.record({ type: fc.constant(type), id: fc.constant(''), ...fields })
  const bare = [
    'unsubscribe',
    'stand',
    'ready',
    'notReady',
    'start',
    'leave',
    'offerDraw',
    'rematch',
  ]
  return fc.oneof(
    message('hello', { client: fc.string({ maxLength: 64 }) }),
    message('ping', {}),
    message('createRoom', { preset, options, private: fc.boolean() }),
    message('subscribe', { room, since: small }),
    message('subscribe', { room, invitation }),
    message('sit', { room, seat }),
    message('requestSwap', { room, seat }),
    message('answerSwap', { room, swap: small.map((n) => n + 1), accept: fc.boolean() }),
    message('setRules', { room, preset, options }),
    message('addBot', { room, seat, level: fc.constantFrom('easy', 'normal', 'hard') }),
    message('removePlayer', { room, player: fc.constantFrom(...players, '000000000000') }),
    message('saveDraft', { room, formation }),
    message('submitFormation', { room, formation }),
    { weight: 8, arbitrary: message('move', { room, turn: small, from: space, to: space }) },
    { weight: 4, arbitrary: message('flip', { room, turn: small, space }) },
    message('resign', { room, turn: small }),
    message('answerDraw', { room, offer: small.map((n) => n + 1), accept: fc.boolean() }),
    ...bare.map((type) => message(type, { room })),
  )
}

/** Each frame gets the id of its number, wherever it has an id at all, so that replies can be told apart. */
export function fuzzFrames(
  { rooms, players }: { readonly rooms: readonly string[]; readonly players: readonly string[] },
  { count, seed }: { readonly count: number; readonly seed: number },
): readonly FuzzFrame[] {
  const valid = validMessages(rooms, players)
  const json = fc.jsonValue({ maxDepth: 4 })
  const mutated = fc
    .tuple(valid, fc.constantFrom('drop', 'replace', 'add'), fc.nat(), json)
    .map(([message, how, n, value]) => mutate(message, how, { n, value }))
  const cut = fc
    .tuple(valid, fc.nat(), fc.string({ unit: 'binary', maxLength: 4 }))
    .map(([message, at, text]) => splice(JSON.stringify(message), at, text))
  const frame: fc.Arbitrary<unknown> = fc.oneof(
    { weight: 4, arbitrary: valid },
    { weight: 4, arbitrary: mutated },
    { weight: 1, arbitrary: json },
    { weight: 2, arbitrary: cut },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  )
  return fc.sample(frame, { numRuns: count, seed }).map((made, n): FuzzFrame => {
    if (made instanceof Uint8Array || typeof made === 'string') return made
    const isObject = typeof made === 'object' && made !== null && 'id' in made
    return JSON.stringify(isObject && made.id === '' ? { ...made, id: `f${n}` } : made)
  })
}

function mutate(
  message: Readonly<Record<string, unknown>>,
  how: 'drop' | 'replace' | 'add',
  { n, value }: { readonly n: number; readonly value: unknown },
): object {
  const keys = Object.keys(message)
  const key = keys[n % keys.length] ?? 'type'
  if (how === 'add') return { ...message, [`x${n}`]: value }
  if (how === 'replace') return { ...message, [key]: value }
  return Object.fromEntries(Object.entries(message).filter(([name]) => name !== key))
}

function splice(text: string, at: number, inserted: string): string {
  const middle = at % text.length
  return text.slice(0, middle) + inserted + text.slice(middle + 1)
}
