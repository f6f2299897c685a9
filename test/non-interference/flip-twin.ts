import { boardOf, type PieceId } from '@junqi/engine'
import { layoutPlaces } from '../../packages/engine/src/rules/flip-board.ts'
import { stepsOf } from './knowledge.ts'
import type { Random } from './random.ts'
import type { Script } from './script.ts'
import { type FindTwin, replayed } from './twin.ts'

/**
 * Of a flip game: another layout, which differs in nothing but what was never turned up. Nobody knows any of that, so
 * the two runs are equal to everyone.
 */
export function flipTwinsOf(script: Script): FindTwin {
  const { layout = [] } = script.setup
  const board = boardOf(script.ruleSet)
  const ids = layoutPlaces(board).map((index): PieceId => `@${board.spaces[index]}`)
  const turnedUp = new Set<string>()
  for (const { event } of stepsOf(script)) {
    if (event.type === 'pieceFlipped') turnedUp.add(`@${event.space}`)
  }
  const places = [...ids.keys()].filter((place) => !turnedUp.has(ids[place] ?? ''))
  return (_known, random) => {
    const dealt = shuffled(places, random)
    const other = layout.map((symbol, place) => {
      const from = dealt[places.indexOf(place)]
      return from === undefined ? symbol : (layout[from] ?? symbol)
    })
    const differing = new Set(ids.filter((_, place) => layout[place] !== other[place]))
    const twin = differing.size === 0 ? null : replayed(script, { formations: {}, layout: other })
    // Each of them stood in the way all through: that is all that such a piece can do.
    return twin && { script: twin, differing, active: true }
  }
}

const shuffled = (places: readonly number[], random: Random): readonly number[] =>
  places
    .map((place) => ({ place, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ place }) => place)
