import { createServer, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Backend, Balancer } from './balancer.ts'

interface Node extends Backend {
  readonly server: Server
  isReady: boolean
}

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Tells its name. */
async function startNode(name: string): Promise<Node> {
  const server = createServer((request, response) => {
    const isHealth = request.url === '/readyz'
    response.writeHead(isHealth && !node.isReady ? 503 : 200, { connection: 'close' }).end(name)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const node: Node = { server, url: `http://127.0.0.1:${port}`, isReady: true }
  closing.push(() => server.close())
  return node
}

async function startBalancer(nodes: readonly Node[]): Promise<Balancer> {
  const balancer = await Balancer.before(nodes)
  closing.push(() => balancer.close())
  return balancer
}

const ask = async ({ url }: Balancer): Promise<string> => (await fetch(url)).text()

describe('the balancer', () => {
  test('takes one node after the other', async () => {
    const balancer = await startBalancer([await startNode('a'), await startNode('b')])
    const names = [await ask(balancer), await ask(balancer), await ask(balancer)]
    expect(names.join('')).toMatch(/aba|bab/)
  })

  test('passes over a node that is not ready, or gone, at once', async () => {
    const [a, b] = [await startNode('a'), await startNode('b')]
    a.isReady = false
    const balancer = await startBalancer([a, b])
    expect([await ask(balancer), await ask(balancer)]).toEqual(['b', 'b'])
    a.isReady = true
    await vi.waitUntil(async () => (await ask(balancer)) === 'a', { timeout: 30_000 })
    b.server.close()
    expect([await ask(balancer), await ask(balancer)]).toEqual(['a', 'a'])
  })

  test('ends the connections of a node that ends them, and tells whom a node serves', async () => {
    const node = await startNode('a')
    const balancer = await startBalancer([node])
    const socket: Socket = connect(Number(new URL(balancer.url).port), '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nauthorization: me\r\n')
    await vi.waitUntil(() => balancer.servedBy(node).some((head) => head.includes('me')))
    node.server.closeAllConnections()
    await new Promise((resolve) => socket.once('close', resolve))
    await vi.waitUntil(() => balancer.servedBy(node).length === 0)
  })

  test("tells who serves the newest of a visitor's lines while an older one is still open", async () => {
    const nodes = [await startNode('a'), await startNode('b')]
    const balancer = await startBalancer(nodes)
    const heads = (): readonly string[] =>
      nodes.flatMap((node) => balancer.servedBy(node)).filter((head) => head !== '')
    const servers: (Backend | null)[] = []
    for (const count of [1, 2]) {
      const socket = connect(Number(new URL(balancer.url).port), '127.0.0.1')
      closing.push(() => socket.destroy())
      socket.write('GET / HTTP/1.1\r\nauthorization: me\r\n')
      await vi.waitUntil(() => heads().length === count)
      servers.push(balancer.serverOf((head) => head.includes('authorization: me')))
    }
    expect(new Set(servers)).toEqual(new Set(nodes))
    expect(balancer.serverOf((head) => head.includes('authorization: you'))).toBeNull()
  })
})
