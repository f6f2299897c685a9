import { allyOf, boardOf, drawBoard, type GameState, isSeat } from '@junqi/engine'
import { maskedCommitments } from '../../packages/server/test/support/masked.ts'
import { type Performance, type Plan, perform, type Secrets } from './perform.ts'
import { type Script, startOf } from './script.ts'
import type { OpenSite, Viewer } from './site.ts'
import { type Heard, isOfType, type Step } from './table.ts'

/** One of two runs. */
export interface World {
  readonly secrets: Secrets
  readonly script: Script
}

/** Two runs that are equal to some viewers. */
export interface Pair {
  readonly plan: Plan
  readonly one: World
  readonly other: World
  readonly viewers: readonly Viewer[]
  /** Whether they are also equal after the end, since no piece differs: else all that was hidden is shown then. */
  readonly isEqualAfterEnd: boolean
}

/** Where a viewer can tell them apart. */
export interface Difference {
  readonly viewer: Viewer
  readonly step: Step
  /** Of how many messages which, from 0 on. */
  readonly message: number
  readonly of: number
  /** What it got; null: nothing any more. */
  readonly one: string | null
  readonly other: string | null
}

export const performWorld = (
  plan: Plan,
  { secrets, script }: World,
  openSite: OpenSite,
): Promise<Performance> => perform(plan, secrets, { openSite, scriptOf: () => script })

/** The first difference that any of the viewers sees. */
export function differenceOf(
  pair: Pick<Pair, 'viewers' | 'isEqualAfterEnd'>,
  one: Performance,
  other: Performance,
): Difference | null {
  for (const viewer of pair.viewers) {
    const [heard, also] = [comparable(pair, viewer, one), comparable(pair, viewer, other)]
    const found = differenceFor(viewer, heard, also)
    if (found !== null) return found
  }
  return null
}

/** What a viewer got for as long as the two runs are equal to it. */
export function comparable(
  { isEqualAfterEnd }: Pick<Pair, 'isEqualAfterEnd'>,
  viewer: Viewer,
  { seen }: Performance,
): readonly Heard[] {
  const heard = seen.get(viewer) ?? []
  return isEqualAfterEnd ? heard : heard.filter(({ step }) => !step.isAfterEnd)
}

function differenceFor(
  viewer: Viewer,
  one: readonly Heard[],
  other: readonly Heard[],
): Difference | null {
  const [heard, also] = [inStreams(one), inStreams(other)]
  const of = Math.max(heard.length, also.length)
  for (let message = 0; message < of; message++) {
    const [mine, its] = [heard[message], also[message]]
    if (mine !== undefined && mine.whole === its?.whole) continue
    const texts = [mine, its].map((each) => (each ? maskedCommitments(each.whole) : null))
    const [oneText = null, otherText = null] = texts
    if (oneText === otherText) continue
    const step = (mine ?? its)?.step ?? { words: '', act: null, isAfterEnd: false }
    return { viewer, step, message, of, one: oneText, other: otherText }
  }
  return null
}

/**
 * What is told of rooms, and after it where the player sits: that is looked up while rooms are answered, so which comes first
 * depends on how busy a room is with whatever others ask, and they may ask as they please.
 */
function inStreams(heard: readonly Heard[]): readonly Heard[] {
  const isSeats = ({ whole }: Heard): boolean => isOfType(whole, 'seats')
  return [...heard.filter((each) => !isSeats(each)), ...heard.filter(isSeats)]
}

/** A difference for a person to read: two boards, the viewer, the step, and what it got in each. */
export function report({ plan, one, other }: Pair, found: Difference): string {
  const { preset, options } = plan.request
  const { viewer, step, message, of } = found
  return [
    `${preset} ${JSON.stringify(options)}, seed ${plan.seed}: the ${viewer} can tell two worlds apart.`,
    `Beside the game: ${[...plan.beside].join(', ') || 'nothing'}. Acts: ${one.script.acts.length}.`,
    `Its message ${message} of ${of} differs, at ${step.words}${step.act === null ? '' : ` (act ${step.act})`}.`,
    'One world:',
    drawn(one.script, step),
    'The other:',
    drawn(other.script, step),
    `In one it got:\n${found.one ?? '(nothing)'}`,
    `In the other:\n${found.other ?? '(nothing)'}`,
  ].join('\n')
}

const drawn = (script: Script, step: Step): string => {
  const state = stateAt(script, step)
  return drawBoard(boardOf(state.ruleSet), state.pieces)
}

const stateAt = (script: Script, { act }: Step): GameState =>
  (act === null ? null : script.acts[act]?.before) ?? startOf(script)

/** What a viewer is in a pair, in a few words: what was compared is counted by it. */
export function roleOf({ plan, one }: Pair, viewer: Viewer): string {
  if (viewer === 'spectator') return `spectator, ${plan.request.spectators?.mode ?? 'public'}`
  const { ruleSet } = plan
  if (!isSeat(viewer)) return viewer
  if (!ruleSet.seats.includes(viewer)) return 'stranger'
  const out = one.script.acts.at(-1)?.before.seats[viewer]?.out ?? null
  if (out !== null) return `out, ${ruleSet.eliminatedView}`
  if (plan.bots?.[viewer] !== undefined) return 'bot in a seat'
  return allyOf(ruleSet, viewer) === null ? 'seat' : 'seat with an ally'
}
