import { InvariantError, type Seat } from '@junqi/engine'
import { Leak } from './leak.ts'
import { type Difference, differenceOf, type Pair, performWorld } from './pair.ts'
import type { Setup } from './setup.ts'
import type { OpenSite } from './site.ts'
import { replayed } from './twin.ts'

export interface Found {
  readonly pair: Pair
  readonly difference: Difference
}

/**
 * The same difference in a smaller pair, as far as one is found: less beside the game, fewer acts, fewer pieces that differ,
 * seats that do the same in both.
 */
export async function shrink(
  found: Found,
  { openSite, tries: most }: { readonly openSite: OpenSite; readonly tries: number },
): Promise<Found> {
  let [smallest, tries] = [found, 0]
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false
    for (const pair of smallerThan(smallest)) {
      if (++tries > most) return smallest
      const difference = await tried(pair, openSite)
      if (difference === null) continue
      smallest = { pair, difference }
      isSmaller = true
      break
    }
  }
  return smallest
}

async function tried(pair: Pair, openSite: OpenSite): Promise<Difference | null> {
  try {
    const one = await performWorld(pair.plan, pair.one, openSite)
    const other = await performWorld(pair.plan, pair.other, openSite)
    return differenceOf(pair, one, other)
  } catch (error) {
    // With less beside it the game can become another one, which the script does not fit.
    if (error instanceof InvariantError) return null
    throw error
  }
}

/** The biggest steps first. */
function* smallerThan({ pair, difference }: Found): Generator<Pair> {
  if (pair.viewers.length > 1) yield { ...pair, viewers: [difference.viewer] }
  yield* shorter({ pair, difference })
  yield* withLessBeside(pair)
  yield* withLikerSecrets(pair)
  yield* withFewerPieces(pair)
}

function* shorter({ pair, difference: { step } }: Found): Generator<Pair> {
  const { length } = pair.one.script.acts
  const last = step.act === null ? length : step.act + 1
  const lengths = new Set([1, last, length >> 1, length - (length >> 2), length - 1])
  for (const acts of [...lengths].sort((a, b) => a - b)) {
    if (acts > 0 && acts < length) yield cut(pair, acts)
  }
}

function cut(pair: Pair, length: number): Pair {
  const [one, other] = [pair.one, pair.other].map(({ secrets, script }) => ({
    secrets,
    script: { ...script, acts: script.acts.slice(0, length) },
  }))
  return { ...pair, one: one ?? pair.one, other: other ?? pair.other }
}

function* withLessBeside(pair: Pair): Generator<Pair> {
  const { beside } = pair.plan
  if (beside.size > 1) yield { ...pair, plan: { ...pair.plan, beside: new Set() } }
  for (const each of beside) {
    const less = new Set([...beside].filter((one) => one !== each))
    yield { ...pair, plan: { ...pair.plan, beside: less } }
  }
}

/** What others do as they please, the same in both worlds. */
function* withLikerSecrets(pair: Pair): Generator<Pair> {
  const { one, other } = pair
  for (const name of ['whims', 'asides'] as const) {
    if (JSON.stringify(one.secrets[name]) === JSON.stringify(other.secrets[name])) continue
    const secrets = { ...other.secrets, [name]: one.secrets[name] }
    yield { ...pair, other: { ...other, secrets } }
  }
}

function* withFewerPieces(pair: Pair): Generator<Pair> {
  for (const setup of likerSetups(pair.one.secrets.setup, pair.other.secrets.setup)) {
    const script = playedFrom(pair, setup)
    if (script === null) continue
    yield { ...pair, other: { secrets: { ...pair.other.secrets, setup }, script } }
  }
}

function playedFrom({ one }: Pair, setup: Setup) {
  try {
    return replayed(one.script, setup)
  } catch (error) {
    if (error instanceof Leak) return null
    throw error
  }
}

/** The other setup with one piece more that is as in the one. */
function* likerSetups(one: Setup, other: Setup): Generator<Setup> {
  const { layout, formations } = other
  if (layout !== undefined && one.layout !== undefined) {
    for (const liker of likerRows(one.layout, layout)) yield { ...other, layout: liker }
  }
  for (const [seat, formation] of Object.entries(formations) as readonly (readonly [
    Seat,
    string,
  ])[]) {
    for (const liker of likerRows([...(one.formations[seat] ?? '')], [...formation])) {
      yield { ...other, formations: { ...formations, [seat]: liker.join('') } }
    }
  }
}

function* likerRows<Symbol>(
  one: readonly Symbol[],
  other: readonly Symbol[],
): Generator<readonly Symbol[]> {
  for (const [place, symbol] of one.entries()) {
    const its = other[place]
    if (its === undefined || its === symbol) continue
    const from = other.findIndex((each, at) => each === symbol && one[at] !== symbol)
    if (from >= 0) yield other.with(place, symbol).with(from, its)
  }
}
