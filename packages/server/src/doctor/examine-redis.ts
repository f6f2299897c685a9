import { surveyRedis } from '../adapters/redis/survey.ts'
import { StoreOpenError } from '../adapters/store-open-error.ts'
import type { RedisConfig } from '../config.ts'
import { bad, type Finding } from './finding.ts'
import { judgeRedis } from './judge-redis.ts'

/** The Redis of the store: whether a node could begin, what its settings promise, how quickly it answers. */
export async function examineRedis(
  { target, prefix }: RedisConfig,
  required: { readonly requireDurable: boolean },
): Promise<readonly Finding[]> {
  try {
    return judgeRedis(await surveyRedis(target, prefix), required)
  } catch (error) {
    if (!(error instanceof StoreOpenError)) throw error
    const says = error.message.replace(/\.$/, '')
    return [bad('redis', says, 'put that right, and ask again: nothing more was asked of it')]
  }
}
