import { readdirSync, readFileSync } from 'node:fs'
import { ANSWERS, clientMessage, type Guest } from '@junqi/protocol'
import { expect } from 'vitest'
import { z } from 'zod'
import { type HeardMessage, wrongsIn } from './fuzz-oracle.ts'
import { type Message, makeBot, makeGuest, type TestApp, TestClient } from './test-app.ts'

const FOLDER = new URL('../data/conversations/', import.meta.url)

/** What was once said, and accepted, one after the other: each a file. */
export const CONVERSATIONS: readonly string[] = readdirSync(FOLDER)

const SPEAKERS = ['south', 'north', 'bot'] as const
type Speaker = (typeof SPEAKERS)[number]

/** A text that begins with `$` stands for what only the server knows: `$room`, the latest; `$invitation`, `$code`, `$north`. */
const steps = z.array(
  z.looseObject({
    by: z.enum(SPEAKERS),
    type: z.enum(clientMessage.options.map(({ shape }) => shape.type.value)),
  }),
)

/** Has people and a bot say all of it to a server, which must accept each, and tell each what the log tells it; gives the types. */
export async function replayConversation(
  name: string,
  server: TestApp,
  botKey: string,
): Promise<readonly string[]> {
  const said = steps.parse(JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')))
  const talk = await Conversation.begin(server, { name, botKey })
  for (const { by, ...message } of said) await talk.say(by, message)
  await talk.end()
  return said.map(({ type }) => type)
}

interface Present {
  readonly guest: Guest
  readonly client: TestClient
}

class Conversation {
  readonly #server: TestApp
  readonly #present: ReadonlyMap<Speaker, Present>
  readonly #names = new Map<string, unknown>()
  readonly #formations = new Map<string, Set<Guest['id']>>()
  #said = 0

  private constructor(server: TestApp, present: ReadonlyMap<Speaker, Present>) {
    this.#server = server
    this.#present = present
    for (const [speaker, { guest }] of present) this.#names.set(`$${speaker}`, guest.id)
  }

  static async begin(
    server: TestApp,
    { name, botKey }: { readonly name: string; readonly botKey: string },
  ): Promise<Conversation> {
    const present = new Map<Speaker, Present>()
    for (const speaker of SPEAKERS) {
      const isBot = speaker === 'bot'
      const { url } = server
      const guest = await (isBot ? makeBot(url, name, botKey) : makeGuest(url, speaker))
      present.set(speaker, { guest, client: await TestClient.hello(url, guest.token) })
    }
    return new Conversation(server, present)
  }

  async say(by: Speaker, message: Message): Promise<void> {
    const { client, guest } = this.#of(by)
    const id = `s${this.#said++}`
    client.send({ ...this.#resolved(message), id })
    const reply = await client.reply(id)
    expect([by, message, reply]).toEqual([
      by,
      message,
      expect.objectContaining({ type: expect.toBeOneOf([...answersTo(message)]) }),
    ])
    if (typeof message.formation === 'string') {
      const owners = this.#formations.get(message.formation) ?? new Set()
      this.#formations.set(message.formation, owners.add(guest.id))
    }
    if (message.type === 'createRoom') this.#names.set('$room', reply.room)
    const view = z.object({ invitation: z.string() }).safeParse(reply.view)
    if (view.success) this.#names.set('$invitation', view.data.invitation)
    const status = client.messages.findLast((told) => told.type === 'quickPlayStatus')
    if (status !== undefined) this.#names.set('$code', status.code)
  }

  /** All were told what the logs tell them, and nothing is logged as a fault. */
  async end(): Promise<void> {
    const { logs, store } = this.#server
    const heard: HeardMessage[] = [...this.#present.values()].flatMap(({ guest, client }) =>
      client.messages.map((message) => ({ player: guest.id, message })),
    )
    for (const { client } of this.#present.values()) client.socket.close()
    expect(await wrongsIn(store, heard, this.#formations)).toEqual([])
    expect(logs.filter((line) => /"level":[456]0/.test(line))).toEqual([])
  }

  #of(speaker: Speaker): Present {
    const present = this.#present.get(speaker)
    if (present === undefined) throw new Error(`nobody is ${speaker}`)
    return present
  }

  #resolved(message: Message): Message {
    const resolve = (value: unknown): unknown =>
      typeof value === 'string' && value.startsWith('$') ? this.#names.get(value) : value
    return Object.fromEntries(
      Object.entries(message).map(([field, value]) => [field, resolve(value)]),
    )
  }
}

const answersTo = ({ type }: Message): readonly string[] =>
  new Map<unknown, readonly string[]>(Object.entries(ANSWERS)).get(type) ?? []
