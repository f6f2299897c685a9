import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ended } from '../../packages/server/src/adapters/redis/ended.ts'
import { FaultyLine } from './faulty-line.ts'

/** Says `re X` to every `X`, a line each. */
let server: Server
let heard: string[]
let line: FaultyLine
const open: Socket[] = []

beforeEach(async () => {
  heard = []
  server = createServer((socket) => {
    open.push(socket)
    socket.on('error', () => {})
    socket.on('data', (data) => {
      heard.push(String(data).trim())
      socket.write(`re ${data}`)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  line = await FaultyLine.to(typeof address === 'object' ? (address?.port ?? 0) : 0)
})
afterEach(async () => {
  await line.close()
  for (const socket of open.splice(0)) socket.destroy()
  server.close()
})

async function dial(): Promise<Socket> {
  const socket = connect(line.port, '127.0.0.1')
  open.push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

async function reply(socket: Socket): Promise<string> {
  const [data] = await once(socket, 'data')
  return String(data).trim()
}

function ask(socket: Socket, text: string): Promise<string> {
  const replied = reply(socket)
  socket.write(`${text}\n`)
  return replied
}

/** Whether anything has come, when a round trip on another connection is over. */
async function isSilent(socket: Socket): Promise<boolean> {
  let isSilent = true
  const heardOf = (): void => {
    isSilent = false
  }
  socket.on('data', heardOf)
  await new Promise((resolve) => setTimeout(resolve, 50))
  socket.off('data', heardOf)
  return isSilent
}

describe('a line on which things go wrong', () => {
  test('is no different as long as nothing does', async () => {
    const socket = await dial()
    expect(await ask(socket, 'a')).toBe('re a')
    expect(await ask(socket, 'b')).toBe('re b')
    expect(line.size).toBe(1)
  })

  test('cut: what was connected is not, and newcomers are', async () => {
    const socket = await dial()
    await ask(socket, 'a')
    line.cut()
    await ended(socket)
    expect(await ask(await dial(), 'b')).toBe('re b')
  })

  test('refused: nobody comes in before it admits again', async () => {
    const socket = await dial()
    await ask(socket, 'a')
    const closed = ended(socket)
    await line.refuse()
    await closed
    await expect(dial()).rejects.toThrow(/ECONNREFUSED/)
    await line.admit()
    expect(await ask(await dial(), 'b')).toBe('re b')
  })

  test('delayed: it takes its time, in order', async () => {
    const socket = await dial()
    await ask(socket, 'a')
    line.passage = { type: 'delayed', ms: 200 }
    socket.write('b\n')
    expect(await isSilent(socket)).toBe(true)
    expect(heard).toEqual(['a'])
    line.passage = { type: 'open' }
    socket.write('c\n')
    let replies = ''
    while (!replies.endsWith('c')) replies += await reply(socket)
    expect(replies.replaceAll(/\n|re /g, '')).toBe('bc')
  })

  test('held: what was sent arrives when the line is open again, on old and new connections', async () => {
    const old = await dial()
    await ask(old, 'a')
    line.passage = { type: 'held' }
    const young = await dial()
    old.write('b\n')
    young.write('c\n')
    expect(await isSilent(old)).toBe(true)
    expect(heard).toEqual(['a'])
    const replies = [reply(old), reply(young)]
    line.passage = { type: 'open' }
    expect(await Promise.all(replies)).toEqual(['re b', 're c'])
  })

  test('held: what was sent arrives although its sender has gone', async () => {
    const socket = await dial()
    await ask(socket, 'a')
    line.passage = { type: 'held' }
    socket.end('b\n')
    const arrived = once(open[1] ?? socket, 'data')
    line.passage = { type: 'open' }
    await arrived
    expect(heard).toEqual(['a', 'b'])
  })

  test('swallowed: what was sent never arrives, and its sender learns it at the end', async () => {
    const socket = await dial()
    await ask(socket, 'a')
    line.passage = { type: 'swallowed' }
    socket.write('b\n')
    expect(await isSilent(socket)).toBe(true)
    line.passage = { type: 'open' }
    await ended(socket)
    expect(heard).toEqual(['a'])
  })

  test('a reply is lost, and the request was handed on', async () => {
    const socket = await dial()
    const lost = line.loseReply(/append/)
    expect(await ask(socket, 'read')).toBe('re read')
    socket.write('append\n')
    await Promise.all([lost, ended(socket)])
    expect(heard).toEqual(['read', 'append'])
    expect(socket.bytesRead).toBe('re read\n'.length)
  })

  test('a reply is held back until it is let go', async () => {
    const socket = await dial()
    const held = line.holdReply(/append/)
    socket.write('append\n')
    const letGo = await held
    expect(await isSilent(socket)).toBe(true)
    expect(heard).toEqual(['append'])
    const replied = reply(socket)
    letGo()
    expect(await replied).toBe('re append')
  })
})
