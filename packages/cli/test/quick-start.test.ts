import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { serve } from './serve-process.ts'

const PAGE = readFileSync(new URL('../../../docs/quick-start.md', import.meta.url), 'utf8')

type Frame = Record<string, unknown> & { readonly type: string }

/** The frames of a block of the page. */
const linesOf = (block: string): readonly string[] =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${block}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))]
    .flatMap(([, text = '']) => text.split('\n'))
    .filter((line) => /^[<>] /.test(line))

const END: unknown = JSON.parse(linesOf('end')[0]?.slice(2) ?? '')

/** Whether a frame holds all that the page shows of it. */
function holds(frame: unknown, shown: unknown): boolean {
  if (Array.isArray(shown)) {
    return Array.isArray(frame) && shown.every((one) => frame.some((other) => holds(other, one)))
  }
  if (typeof shown !== 'object' || shown === null) return frame === shown
  if (typeof frame !== 'object' || frame === null) return false
  return Object.entries(shown).every(([key, value]) =>
    holds((frame as Record<string, unknown>)[key], value),
  )
}

/** A client that knows nothing but the page. */
class Reader {
  readonly known = new Map<string, string | number>()
  readonly unread: Frame[] = []
  /** What the last event or snapshot said of the turn. */
  turn: { readonly turn: unknown; readonly next: unknown } = { turn: null, next: null }
  hasEnded = false
  readonly #socket: WebSocket
  #ids = 0
  #came = (): void => {}

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data) => {
      const frame: Frame = JSON.parse(String(data))
      if (frame.type === 'event') this.turn = { turn: frame.turn, next: frame.next }
      this.unread.push(frame)
      if (holds(frame, END)) this.hasEnded = true
      this.#came()
    })
  }

  /** Sends and awaits what a block shows; gives the last frame that it waited for. */
  async follow(lines: readonly string[]): Promise<Frame> {
    let last: Frame = { type: 'none' }
    let sent = ''
    for (const line of lines) {
      if (line.startsWith('>')) {
        this.known.set('id', `r${++this.#ids}`)
        sent = this.#filled(line.slice(2))
        this.#socket.send(sent)
      } else last = await this.#await(line.slice(2), sent)
    }
    return last
  }

  async until<T>(look: () => T | null): Promise<T> {
    for (;;) {
      const seen = look()
      if (seen !== null) return seen
      await this.#next()
    }
  }

  #filled(line: string): string {
    return line
      .replace('"<turn>"', String(this.known.get('turn')))
      .replace(/<([a-z]+)>/g, (text, name) => String(this.known.get(name) ?? text))
  }

  async #await(line: string, sent: string): Promise<Frame> {
    const shown = JSON.parse(this.#filled(line).replace(/"room":"<room>"/, '"version":1'))
    return this.until(() => {
      const at = this.unread.findIndex((frame) => holds(frame, shown))
      const error = this.unread.find(({ type }) => type === 'error')
      if (error !== undefined) throw new Error(`${sent}: ${JSON.stringify(error)}`)
      const [frame] = at < 0 ? [] : this.unread.splice(at, 1)
      if (frame === undefined) return null
      if (line.includes('"<room>"')) this.known.set('room', String(frame.room))
      return frame
    })
  }

  #next(): Promise<void> {
    return new Promise((resolve) => {
      this.#came = resolve
    })
  }
}

test('a table of one person and three bots plays to its end, as docs/quick-start.md says', async () => {
  const served = await serve({ JUNQI_STORE: 'memory', JUNQI_BOTS: 'easy:2,normal:1' })
  onTestFinished(() => served.stop())
  await served.junqi.says(/3 online/)
  const guest = await fetch(`${served.url}/v1/guests`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"Ming"}',
  })
  const { token } = (await guest.json()) as { token: string }
  const address = `${served.url.replace('http', 'ws')}/v1/ws`
  const socket = new WebSocket(address, ['junqi.v1', `bearer.${token}`])
  onTestFinished(() => socket.terminate())
  await new Promise((resolve) => socket.once('open', resolve))
  const reader = new Reader(socket)

  await reader.follow(linesOf('text'))
  let moves = 0
  for (;;) {
    const now = await reader.until(() => {
      if (reader.hasEnded) return 'ended'
      return reader.turn.next === 'south' ? 'turn' : null
    })
    if (now === 'ended') break
    const [ask = '', answer = '', move = '', moved = ''] = linesOf('turn')
    const snapshot = await reader.follow([ask, answer])
    const view = snapshot.view as { legalMoves: Record<string, string[]> }
    const froms = Object.keys(view.legalMoves)
    const from = froms[moves % froms.length] ?? ''
    const targets = view.legalMoves[from] ?? []
    reader.known.set('turn', Number(reader.turn.turn))
    reader.known.set('from', from).set('to', targets[moves % targets.length] ?? '')
    await reader.follow([move, moved])
    moves++
  }
  expect(moves).toBeGreaterThan(0)
  expect(served.junqi.said).not.toContain('FAULT')
})
