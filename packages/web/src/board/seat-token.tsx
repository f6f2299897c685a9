import type { RuleSet, Seat } from '@junqi/engine'
import type { JSX } from 'preact'
import { EMBLEMS, formOf, outline } from './emblem.ts'

interface Props {
  readonly ruleSet: RuleSet
  readonly seat: Seat
}

/** Whose something is: the colour and emblem of a seat, in the form of its alliance. */
export function SeatToken({ ruleSet, seat }: Props): JSX.Element {
  return (
    <svg class="token" viewBox="-26 -20 52 40" aria-hidden="true">
      <path class={`body ${seat}`} d={outline(formOf(ruleSet, seat), 48, 36)} />
      <path class="emblem" d={EMBLEMS[seat]} />
    </svg>
  )
}
