import { afterAll, beforeAll } from 'vitest'
import {
  describeWithRedis,
  hasRedisServer,
  RedisCluster,
  RedisServer,
  TEST_REDIS_URL,
} from '../../../../test/support/redis-server.ts'
import { makeRedisPlace } from '../redis/places.ts'
import { describeQueue } from './queue.contract.ts'
import { describeSharedStore } from './shared-store.contract.ts'
import { describeStore } from './store.contract.ts'

const makePlaceAt = (url: () => string) => async () => makeRedisPlace(url())

describeWithRedis(
  'the Redis store on one server',
  () => {
    let server: RedisServer | null = null
    beforeAll(async () => {
      if (TEST_REDIS_URL === null) server = await RedisServer.start()
    })
    afterAll(() => server?.stop())

    const makePlace = makePlaceAt(() => server?.url ?? TEST_REDIS_URL ?? '')
    describeStore({ name: 'a store', keeps: true, makePlace, runs: 60 })
    describeSharedStore({ makePlace })
    describeQueue({ makePlace, keeps: true, isShared: true })
  },
  hasRedisServer || TEST_REDIS_URL !== null,
)

describeWithRedis('the Redis store on a cluster of three masters', () => {
  let cluster: RedisCluster
  beforeAll(async () => {
    cluster = await RedisCluster.start()
  })
  afterAll(() => cluster.stop())

  const makePlace = makePlaceAt(() => cluster.url)
  describeStore({ name: 'a store', keeps: true, isOrdered: false, makePlace, runs: 20 })
  describeSharedStore({ makePlace })
  describeQueue({ makePlace, keeps: true, isShared: true })
})
