import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { endConnection } from './connection.ts'

test('a connection that is reset while it ends has ended, and nothing is thrown', async () => {
  let resets = 0
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.resume()
    socket.on('end', () => {
      resets += 1
      socket.resetAndDestroy()
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const quiet = { enableReadyCheck: false, disableClientInfo: true, retryStrategy: null } as const
  const redis = new Redis(port, '127.0.0.1', { lazyConnect: true, protocol: 2, ...quiet })
  redis.on('error', () => {})
  await redis.connect()
  await endConnection(redis)
  expect(resets).toBe(1)
  await new Promise((resolve) => server.close(resolve))
})
