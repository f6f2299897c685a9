import { afterAll, beforeAll, expect, test } from 'vitest'
import { DURABLE, describeWithRedis, RedisServer } from '../../../test/support/redis-server.ts'
import {
  complaintsIn,
  type ServerProcess,
  startServer,
} from '../../../test/support/server-process.ts'
import { expectPlayed, SAMPLES, samplePath } from './play-cases.ts'
import { runCli } from './run-cli.ts'

describeWithRedis('junqi play over two nodes of one Redis', () => {
  let redis: RedisServer
  let nodes: readonly ServerProcess[] = []
  beforeAll(async () => {
    redis = await RedisServer.start(DURABLE)
    const settings = { JUNQI_STORE: 'redis', JUNQI_REDIS_URL: redis.url }
    nodes = [await startServer(settings), await startServer(settings)]
  })
  afterAll(async () => {
    for (const node of nodes) await node.stop()
    await redis.stop()
  })

  const servers = () => nodes.flatMap(({ url }) => ['--server', url])

  test.each(SAMPLES)(
    'plays game-%i.jgs, two seats at each, to its result, and every seat sees every event',
    async (game, result) => {
      const played = await runCli(['play', samplePath(game), ...servers()])
      expectPlayed(played, { rules: { preset: 'siguo' }, actions: [], result })
      const urls = nodes.map(({ url }) => url)
      const places = played.stdout.match(/http:\S+$/gm)
      expect(places).toEqual([urls[0], urls[1], urls[0], urls[1], urls[0]])
      expect(complaintsIn(nodes.map((node) => node.output()).join(''))).toEqual([])
    },
  )
})
