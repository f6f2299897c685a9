/** What must not be: in the store, on the wire, and in what players see. */
export const WRONGS = [
  'lost',
  'brokenLogs',
  'wrongReplies',
  'strangeViews',
  'wrongIndexes',
] as const

/** A line for each case. */
export type Findings = Readonly<Record<(typeof WRONGS)[number], readonly string[]>>

export const NOTHING: Findings = {
  lost: [],
  brokenLogs: [],
  wrongReplies: [],
  strangeViews: [],
  wrongIndexes: [],
}

export const together = (all: readonly Findings[]): Findings =>
  all.reduce(
    (sum, each) => ({
      lost: [...sum.lost, ...each.lost],
      brokenLogs: [...sum.brokenLogs, ...each.brokenLogs],
      wrongReplies: [...sum.wrongReplies, ...each.wrongReplies],
      strangeViews: [...sum.strangeViews, ...each.strangeViews],
      wrongIndexes: [...sum.wrongIndexes, ...each.wrongIndexes],
    }),
    NOTHING,
  )

export const linesOf = (findings: Findings): readonly string[] =>
  WRONGS.flatMap((wrong) => findings[wrong].map((line) => `${wrong}: ${line}`))
