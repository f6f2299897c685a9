import { createServer } from 'node:net'

/** Below the ports from which connections are made: while a server is down, none of its clients takes its port. */
const PORTS = { from: 20_000, to: 32_000 } as const

/** A port of the loopback interface that is free, as are those at these distances from it. */
export async function freePort(...distances: readonly number[]): Promise<number> {
  const last = PORTS.to - Math.max(0, ...distances)
  for (;;) {
    const port = PORTS.from + Math.floor(Math.random() * (last - PORTS.from))
    const isFree = await Promise.all(
      [0, ...distances].map((distance) => isPortFree(port + distance)),
    )
    if (!isFree.includes(false)) return port
  }
}

function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
