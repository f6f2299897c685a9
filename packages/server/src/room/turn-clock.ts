import type { RuleSet } from '@junqi/engine'
import type { ServiceTime } from '../ports.ts'

type Allowance = Pick<RuleSet, 'turnSeconds' | 'bankSeconds'>

const SECOND = 1000

/** What every seat's bank holds before its first turn, in milliseconds. */
export const fullBank = ({ bankSeconds }: Allowance): number => bankSeconds * SECOND

/** R-OUT-4: when a turn ends that nobody moves in. */
export const turnDeadline = (
  { turnSeconds }: Allowance,
  startedAt: ServiceTime,
  bankMs: number,
): ServiceTime => startedAt + turnSeconds * SECOND + bankMs

/** R-OUT-4: what a move leaves in the bank. It is judged by when the server received it. */
export function bankAfterMove(
  { turnSeconds }: Allowance,
  turn: { readonly startedAt: ServiceTime; readonly receivedAt: ServiceTime },
  bankMs: number,
): number {
  const elapsed = turn.receivedAt - turn.startedAt
  return bankMs - Math.min(bankMs, Math.max(0, elapsed - turnSeconds * SECOND))
}

export const deploymentDeadline = (
  { deploymentSeconds }: Pick<RuleSet, 'deploymentSeconds'>,
  startedAt: ServiceTime,
): ServiceTime => startedAt + deploymentSeconds * SECOND
