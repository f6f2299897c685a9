import type { Link } from './link.ts'
import { textsOf } from './reply.ts'
import { readInfo } from './server-info.ts'

/** What the settings of Redis make of an acknowledged write. */
export interface Durability {
  /** Whether no acknowledged write is lost when Redis is killed. What cannot be read is not relied on. */
  readonly isDurable: boolean
  /** What is promised, in one sentence. */
  readonly promise: string
  /** What weakens it, each in one sentence that says what to set; empty: nothing. */
  readonly problems: readonly string[]
}

/** What decides, of one server; null: Redis does not let itself be asked. */
interface Settings {
  readonly hasLog: boolean
  readonly sync: string | null
  readonly skipsSync: boolean | null
  readonly eviction: string
}

/** How much is promised, the least first. */
const GRADES = ['evicting', 'unlogged', 'unknown', 'unsynced', 'late', 'durable'] as const
type Grade = (typeof GRADES)[number]

const PROMISES: Readonly<Record<Grade, string>> = {
  evicting:
    'whole games can be lost while Redis runs, because it evicts keys when its memory is full',
  unlogged: 'what was acknowledged since the last snapshot can be lost when Redis stops',
  unknown: 'it is unknown whether acknowledged moves can be lost when Redis stops',
  unsynced:
    'the acknowledged moves of about the last half minute can be lost when the machine of Redis stops',
  late: 'the acknowledged moves of the last two seconds can be lost when the machine of Redis stops',
  durable: 'no acknowledged move is lost when Redis or its machine stops',
}
const FAILOVER = 'a failover can lose the last ones, since replicas follow a little later'

/** Reads the settings of each server that takes writes; the weakest of them counts. */
export async function readDurability(link: Link): Promise<Durability> {
  const settings = await readSettings(link)
  const findings = settings.map(judge)
  const grade = GRADES.find((grade) => findings.some((finding) => finding.grade === grade))
  if (grade === undefined) throw new Error('there is no server whose settings count')
  const promise = link.failsOver ? `${PROMISES[grade]}; ${FAILOVER}` : PROMISES[grade]
  return {
    isDurable: grade === 'durable',
    promise,
    problems: [...new Set(findings.flatMap(({ problems }) => problems))],
  }
}

async function readSettings(link: Link): Promise<readonly Settings[]> {
  const infos = await readInfo(link)
  const configs = await readConfigs(link)
  return infos.map((info, n) => {
    const config = configs?.[n]
    return {
      hasLog: info.get('aof_enabled') === '1',
      sync: config?.get('appendfsync') ?? null,
      skipsSync: config === undefined ? null : config.get('no-appendfsync-on-rewrite') === 'yes',
      eviction: info.get('maxmemory_policy') ?? 'unknown',
    }
  })
}

/** null: hosts that manage Redis for others often forbid CONFIG. */
async function readConfigs(link: Link): Promise<readonly ReadonlyMap<string, string>[] | null> {
  const names = ['appendfsync', 'no-appendfsync-on-rewrite']
  const replies = await link.sendToMasters('CONFIG', 'GET', ...names).catch(() => null)
  return replies?.map((reply) => pairsOf(textsOf(reply))) ?? null
}

function pairsOf(flat: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1] ?? ''] as const] : [])),
  )
}

interface Finding {
  readonly grade: Grade
  readonly problem: string
}

/** Each rule that a server's settings break. */
function judge(settings: Settings): {
  readonly grade: Grade
  readonly problems: readonly string[]
} {
  const found = RULES.flatMap((rule) => rule(settings) ?? [])
  const grade = GRADES.find((grade) => found.some((finding) => finding.grade === grade))
  return { grade: grade ?? 'durable', problems: found.map(({ problem }) => problem) }
}

const RULES: readonly ((settings: Settings) => Finding | null)[] = [
  ({ eviction }) =>
    eviction.startsWith('allkeys')
      ? {
          grade: 'evicting',
          problem: `maxmemory-policy is "${eviction}": set it to "noeviction", so that Redis refuses moves when its memory is full and forgets none.`,
        }
      : null,
  ({ hasLog }) =>
    hasLog
      ? null
      : {
          grade: 'unlogged',
          problem: 'appendonly is "no": set it to "yes", so that Redis keeps a log of all writes.',
        },
  ({ hasLog, sync }) =>
    hasLog && sync === null
      ? {
          grade: 'unknown',
          problem:
            'Redis does not let its settings be read (CONFIG GET): see to it yourself that appendfsync is "always", or allow CONFIG|GET to this user.',
        }
      : null,
  ({ hasLog, sync }) =>
    hasLog && (sync === 'everysec' || sync === 'no')
      ? {
          grade: sync === 'no' ? 'unsynced' : 'late',
          problem: `appendfsync is "${sync}": set it to "always", so that a move is on the disk before it is acknowledged.`,
        }
      : null,
  ({ hasLog, sync, skipsSync }) =>
    hasLog && sync === 'always' && skipsSync === true
      ? {
          grade: 'unsynced',
          problem:
            'no-appendfsync-on-rewrite is "yes": set it to "no", so that moves are synced to the disk during a rewrite of the log as well.',
        }
      : null,
]
