import type { GameRecord, RuleOptions } from '@junqi/engine'

/** The shortest turn there is. */
const SHORTEST_SECONDS = 5
/** Long enough for a slow machine. */
const LONGEST_SECONDS = 600

/** The record by the clocks of a table at which it can be played: who begins, begins; turns that run out, do so soon. */
export function tableRecord(record: GameRecord): GameRecord {
  const { rules, first, actions } = record
  const hasTimeouts = actions.some((action) => action.startsWith('timeout '))
  const clocks: RuleOptions = {
    turnSeconds: hasTimeouts ? SHORTEST_SECONDS : LONGEST_SECONDS,
    bankSeconds: 0,
    // Nobody deploys in a flip game.
    ...(record.layout === undefined && { deploymentSeconds: LONGEST_SECONDS }),
  }
  const options = { ...rules.options, ...clocks, firstSeat: first }
  return { ...record, rules: { ...rules, options } }
}
