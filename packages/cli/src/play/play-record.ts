import { type GameRecord, startOf, type Viewer } from '@junqi/engine'
import { ExpectedLog } from './expected-log.ts'
import { Member, type Play } from './member.ts'
import { Patience } from './patience.ts'
import { Table } from './table.ts'

interface Occasion {
  /** Those at the table are spread over them, one after another. */
  readonly servers: readonly string[]
  /** Called before each action. */
  readonly onAction: (n: number) => void
}

/** What somebody at the table received. */
export type Receipt = Pick<Member, 'viewer' | 'server' | 'tally'>

/** Plays a sound record from its first action to its last; throws a CommandFailure at the first difference. */
export async function playRecord(
  record: GameRecord,
  { servers, onAction }: Occasion,
): Promise<readonly Receipt[]> {
  const { ruleSet } = startOf(record)
  const log = new ExpectedLog({ ...record.rules, ruleSet })
  const play = { log, patience: new Patience() }
  const members = await joinAll([...ruleSet.seats, 'spectator'], servers, play)
  try {
    const table = new Table(record, members, play)
    await table.open()
    await table.start()
    await table.playActions(onAction)
    if (record.result !== null) await table.checkRecords()
    return members
  } finally {
    for (const member of members) member.close()
  }
}

/** Nobody stays behind when one cannot join. */
async function joinAll(
  viewers: readonly Viewer[],
  servers: readonly string[],
  play: Play,
): Promise<readonly Member[]> {
  const joined = await Promise.allSettled(
    viewers.map((viewer, i) => {
      const server = servers[i % servers.length] ?? ''
      return Member.join({ viewer, server }, play)
    }),
  )
  const members = joined.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const failed = joined.find((result) => result.status === 'rejected')
  if (failed === undefined) return members
  for (const member of members) member.close()
  throw failed.reason
}
