import { PIECE_SYMBOLS } from '@junqi/engine'
import { clientMessage } from '@junqi/protocol'
import fc from 'fast-check'
import { z } from 'zod'
import { arbitraryOf } from '../../../protocol/test/arbitrary.ts'
import type { Opening } from './fuzz-openings.ts'

/** What a fuzzing client sends: text, or bytes to be sent as a binary frame. */
export type FuzzFrame = string | Uint8Array

/** What there is to be talked about, so that not everything is refused at once. */
export interface FuzzScene {
  readonly rooms: readonly string[]
  readonly players: readonly string[]
  readonly invitations: readonly string[]
  readonly formations: readonly string[]
  /** What would be accepted now: of who sends, and of the others, who would be accepted in its place. */
  readonly openings: { readonly own: readonly Opening[]; readonly others: readonly Opening[] }
}

/** Made once: it takes longer than all else. */
const ofTypes = clientMessage.options.map((schema) => ({
  type: schema.shape.type.value,
  made: arbitraryOf(schema),
}))

type Fields = Readonly<Record<string, unknown>>
const fieldsOf = z.record(z.string(), z.unknown())

/** The id is set later. */
const NO_ID = ''
/** They take a room or a player out of play, which ends what could be found there. */
const RARE: ReadonlySet<string> = new Set(['leave', 'removePlayer', 'resign', 'mutePlayer'])
/** Openings that undo what others lead up to. */
const UNDOING: ReadonlySet<string> = new Set([...RARE, 'setRules', 'notReady', 'cancelQuickPlay'])

/** Messages of every type of the schema that are in order; where a field's name tells what it means, about what exists. */
function validMessages(scene: FuzzScene): fc.Arbitrary<Fields> {
  const known = fc.record(knownFields(scene))
  const messages = ofTypes.map(({ type, made }) => {
    const message = fc.tuple(made, known).map(([any, meant]): Fields => {
      const fields = fieldsOf.parse(any)
      const own = Object.entries(meant).filter(([name]) => Object.hasOwn(fields, name))
      return { ...fields, ...Object.fromEntries(own), id: NO_ID }
    })
    return { weight: RARE.has(type) ? 1 : 4, arbitrary: message }
  })
  const { own, others } = scene.openings
  return fc.oneof(...messages, ...ofOpenings(own, OWN_WEIGHT), ...ofOpenings(others, OTHERS_WEIGHT))
}

/** Of all valid messages, about one in seven is an opening of who sends it, and one in thirty of another. */
const OWN_WEIGHT = 20
const OTHERS_WEIGHT = 5

/** Each type as often as the next, however much there is to be said of one; the rare ones more rarely. */
function ofOpenings(openings: readonly Opening[], weight: number) {
  const types = [...new Set(openings.map(({ type }) => type))].map((type) => {
    const alike = openings.filter((opening) => opening.type === type)
    const message = fc.constantFrom(...alike).map((opening): Fields => ({ ...opening, id: NO_ID }))
    return { weight: UNDOING.has(type) ? 1 : 4, arbitrary: message }
  })
  return types.length === 0 ? [] : [{ weight, arbitrary: fc.oneof(...types) }]
}

function knownFields({ rooms, players, invitations, formations }: FuzzScene) {
  const small = fc.nat({ max: 30 })
  const serial = small.map((n) => n + 1)
  const space = fc
    .tuple(fc.constantFrom(...'abcdefghijklmnopq'), fc.integer({ min: 1, max: 17 }))
    .map(([column, row]) => `${column}${row}`)
  const anyFormation = fc
    .array(fc.constantFrom(...PIECE_SYMBOLS), { minLength: 25, maxLength: 25 })
    .map((symbols) => symbols.join(''))
  return {
    room: fc.constantFrom(...rooms, ...rooms, ...rooms, 'zzzzzzzz'),
    player: fc.constantFrom(...players, '000000000000'),
    invitation: fc.constantFrom(...invitations, 'A'.repeat(22)),
    formation: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...formations) }, anyFormation),
    options: fc.dictionary(
      fc.constantFrom('turnSeconds', 'bankSeconds', 'visibility', 'railTurn', 'nonsense'),
      fc.oneof(
        fc.nat(),
        fc.boolean(),
        fc.constantFrom('allDark', 'allOpen', 'rounded'),
        fc.constant(null),
      ),
      { maxKeys: 2 },
    ),
    since: small,
    turn: small,
    swap: serial,
    offer: serial,
    space,
    from: space,
    to: space,
  }
}

/** Values that no field wants: of another type, too big, too deep, with names that objects have by themselves. */
const HOSTILE: readonly string[] = [
  '1e400',
  '-0',
  '9007199254740993',
  '0.1',
  'null',
  'true',
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '"\u202e\u0301\u0301\u0301\u0301\u0301"',
  '"💣"',
  '{"__proto__":{"kind":"flag"}}',
  '{"constructor":{"prototype":{}}}',
  '{"toString":1,"valueOf":1,"toJSON":1,"then":1,"length":1e9}',
  '"__proto__"',
  '"constructor"',
  '[[[[[[]]]]]]',
  `${'['.repeat(2000)}${']'.repeat(2000)}`,
  `${'{"a":'.repeat(600)}1${'}'.repeat(600)}`,
  `"${'x'.repeat(4000)}"`,
  `[${'0,'.repeat(2000)}0]`,
]
const KEYS = ['__proto__', 'constructor', 'type', 'id', 'room', 'seat', 'kind', 'x', '']

const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value))
const value = fc.oneof(fc.constantFrom(...HOSTILE), json)

/** A message as text in which one field is gone, has another value, or stands there besides, perhaps twice. */
const mutated = (valid: fc.Arbitrary<Fields>): fc.Arbitrary<Fields | string> =>
  fc
    .tuple(
      valid,
      fc.constantFrom('drop', 'replace', 'add'),
      fc.nat(),
      value,
      fc.constantFrom(...KEYS),
    )
    .map(([message, how, n, other, added]) => {
      const names = Object.keys(message)
      const name = names[n % names.length] ?? 'type'
      const kept = how === 'add' ? names : names.filter((each) => each !== name)
      const texts = kept.map((each) => [each, JSON.stringify(message[each])])
      const placed = how === 'add' ? [added, other] : [name, other]
      if (how !== 'drop') texts.splice(n % (texts.length + 1), 0, placed)
      return `{${texts.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join()}}`
    })

/** A message of whose text a character is another. */
const spliced = (valid: fc.Arbitrary<Fields>): fc.Arbitrary<string> =>
  fc
    .tuple(valid, fc.nat(), fc.string({ unit: 'binary', maxLength: 4 }))
    .map(([message, at, inserted]) => {
      const text = JSON.stringify(message)
      const middle = at % text.length
      return text.slice(0, middle) + inserted + text.slice(middle + 1)
    })

/** Of so many frames one has the id of one before it. */
const REPEATS = 20

/** Each frame gets the id of its number, `first` and following, wherever it has an id at all, so that replies can be told apart. */
export function fuzzFrames(
  scene: FuzzScene,
  { count, seed, first }: { readonly count: number; readonly seed: number; readonly first: number },
): readonly FuzzFrame[] {
  const valid = validMessages(scene)
  const frame: fc.Arbitrary<FuzzFrame | Fields> = fc.oneof(
    { weight: 6, arbitrary: valid },
    { weight: 4, arbitrary: mutated(valid) },
    { weight: 1, arbitrary: value },
    { weight: 2, arbitrary: spliced(valid) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  )
  return fc.sample(frame, { numRuns: count, seed }).map((made, n): FuzzFrame => {
    if (made instanceof Uint8Array) return made
    const number = first + n
    const id = `f${number % REPEATS === 0 ? Math.max(0, number - REPEATS / 2) : number}`
    if (typeof made === 'string') return made.replace('"id":""', `"id":"${id}"`)
    return JSON.stringify({ ...made, id })
  })
}
