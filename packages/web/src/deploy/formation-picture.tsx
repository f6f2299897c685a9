import { type Formation, placeKind, TERRITORY_PLACES } from '@junqi/engine'
import type { JSX } from 'preact'
import { words } from '../i18n/i18n.ts'
import { kindAt } from './formation-edit.ts'

const WIDTH = 30
const HEIGHT = 19

/** A whole formation, small, as it stands on the own territory. */
export function FormationPicture({ formation }: { readonly formation: Formation }): JSX.Element {
  const { faces } = words.value
  return (
    <svg class="formation" viewBox={`0 0 ${5 * WIDTH} ${6 * HEIGHT}`} aria-hidden="true">
      {TERRITORY_PLACES.map((place) => {
        const kind = kindAt(formation, place)
        const at = { x: (place.column - 1) * WIDTH, y: (place.row - 1) * HEIGHT }
        return (
          <g
            key={`${place.row},${place.column}`}
            class={kind === null ? placeKind(place) : `of ${kind}`}
            transform={`translate(${at.x} ${at.y})`}
          >
            <rect x="1" y="1" width={WIDTH - 2} height={HEIGHT - 2} rx={kind === null ? 8 : 3} />
            {kind !== null && (
              <text x={WIDTH / 2} y={HEIGHT / 2 + 1}>
                {faces[kind]}
              </text>
            )}
          </g>
        )
      })}
    </svg>
  )
}
