import type { Durability } from '../adapters/redis/durability.ts'
import type { ServerInfo } from '../adapters/redis/server-info.ts'
import type { RedisSurvey } from '../adapters/redis/survey.ts'
import { bad, describeTimes, doubtful, type Finding, good } from './finding.ts'

const MIB = 2 ** 20
/** Of the memory that Redis may have. */
const MUCH_MEMORY = 0.8
const FULL_MEMORY = 0.97
const SLOW_WRITE_MS = 50
const ALL_SLOTS = '16384'

/** What is to be thought of it. */
export function judgeRedis(
  survey: RedisSurvey,
  { requireDurable }: { readonly requireDurable: boolean },
): readonly Finding[] {
  return [
    ...survey.masters.map(judgeServer),
    ...(survey.cluster === null ? [] : [judgeCluster(survey.cluster)]),
    ...survey.sentinels.map(judgeSentinel),
    ...(survey.refused === null ? [] : [judgeRefusal(survey.refused)]),
    judgeDurability(survey.durability, requireDurable),
    ...survey.masters.map(judgeMemory),
    ...(survey.refused === null ? [judgeTimes(survey)] : []),
    good('nodes', `${survey.nodes} are running with this prefix`),
  ]
}

const ABOUT = 'redis'

function judgeServer(info: ServerInfo): Finding {
  const failed = WRITES.find(([name]) => (info.get(name) ?? 'ok') !== 'ok')
  if (failed !== undefined)
    return bad(ABOUT, `its last ${failed[1]} failed`, 'see its log, and make room on its disk')
  return good(ABOUT, `version ${info.get('redis_version')}, and it takes writes`)
}

const WRITES = [
  ['aof_last_write_status', 'write of its log'],
  ['aof_last_bgrewrite_status', 'rewrite of its log'],
] as const

function judgeCluster(cluster: ServerInfo): Finding {
  const [state, slots] = [cluster.get('cluster_state'), cluster.get('cluster_slots_ok')]
  if (state === 'ok' && slots === ALL_SLOTS) return good('cluster', 'every slot is served')
  return bad(
    'cluster',
    `its state is ${state}, and ${slots} of ${ALL_SLOTS} slots are served`,
    'bring its masters back (redis-cli --cluster check)',
  )
}

const judgeSentinel = ({ at, fault }: RedisSurvey['sentinels'][number]): Finding =>
  fault === null
    ? good('sentinel', `${at} could replace the master`)
    : doubtful('sentinel', `${at}: ${fault}`, 'start the sentinels that are missing')

/** In Redis's own words: `NOPERM ...`, `OOM ...`, `MISCONF ...`. */
const judgeRefusal = (words: string): Finding =>
  /^NOPERM|^ERR The user executing the script/.test(words)
    ? bad('redis user', words, 'give the user the rights that docs/deploy.md lists')
    : bad(ABOUT, `it refuses a write: ${words}`, 'put right what it says')

function judgeDurability(
  { isDurable, promise, problems }: Durability,
  requireDurable: boolean,
): Finding {
  if (isDurable) return good('durability', promise)
  const mend = problems.join(' ').replace(/\.$/, '')
  return requireDurable
    ? bad('durability', `${promise}, which JUNQI_REQUIRE_DURABLE does not allow`, mend)
    : doubtful('durability', promise, mend)
}

function judgeMemory(info: ServerInfo): Finding {
  const about = 'redis memory'
  const [used, most] = [info.get('used_memory'), info.get('maxmemory')]
  if (used === undefined || most === undefined) return good(about, 'it does not tell')
  const says = `${Math.ceil(Number(used) / MIB)} MiB used`
  if (Number(most) === 0) return good(about, `${says}, no limit is set`)
  const share = Number(used) / Number(most)
  const limited = `${says} of ${Math.floor(Number(most) / MIB)} MiB`
  const mend = 'give it more (maxmemory): full, it takes no more moves'
  if (share >= FULL_MEMORY) return bad(about, limited, mend)
  return share >= MUCH_MEMORY ? doubtful(about, limited, mend) : good(about, limited)
}

function judgeTimes({ pings, writes }: RedisSurvey): Finding {
  const says = `an answer takes ${describeTimes(pings)}, a write ${describeTimes(writes)}`
  const isSlow = writes.filter((ms) => ms > SLOW_WRITE_MS).length > writes.length / 2
  return isSlow
    ? doubtful(
        'round trip',
        says,
        'bring it nearer, or give it a faster disk: every move waits for this',
      )
    : good('round trip', says)
}
