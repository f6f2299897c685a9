import { httpError } from '@junqi/protocol'
import { type Command, parseArguments } from '../command.ts'
import { inputFailure, usageFailure } from '../failure.ts'
import { writeLine } from '../output.ts'

interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: Ban
}

/** Of a player: why, and for how long (null: for ever). */
interface Ban {
  readonly reason: string
  readonly seconds: number | null
}

/** What is asked of the server as a whole. */
const ACTIONS: Readonly<Record<string, Call>> = {
  node: { method: 'GET', path: 'node' },
  drain: { method: 'POST', path: 'node/drain' },
  resume: { method: 'POST', path: 'node/resume' },
  rooms: { method: 'GET', path: 'rooms?limit=1000' },
  bans: { method: 'GET', path: 'bans' },
}

/** What is asked about one room or player. */
const ACTIONS_ON_ONE: Readonly<Record<string, (id: string, ban: Ban) => Call>> = {
  room: (id) => ({ method: 'GET', path: `rooms/${id}` }),
  close: (id) => ({ method: 'POST', path: `rooms/${id}/close` }),
  ban: (id, body) => ({ method: 'PUT', path: `bans/${id}`, body }),
  lift: (id) => ({ method: 'DELETE', path: `bans/${id}` }),
}

const NAMES = [...Object.keys(ACTIONS), ...Object.keys(ACTIONS_ON_ONE).map((name) => `${name} ID`)]

/** Asks for what docs/admin.md tells, and prints the answer as JSON. */
export const adminCommand: Command = {
  name: 'admin',
  parameters: 'ACTION [ID] [--reason TEXT] [--seconds N] [--server URL]',
  summary: `ask a server at its admin port, with its JUNQI_ADMIN_TOKEN: ${NAMES.join(', ')}`,
  async run(args, { stdout }) {
    const { operands, values } = parseArguments(adminCommand, args, {
      options: { reason: 'value', seconds: 'value', server: 'value' },
      operands: ['ACTION'],
      optional: ['ID'],
    })
    const [reason, seconds, server] = ['reason', 'seconds', 'server'].map((name) =>
      values.get(name)?.at(-1),
    )
    const isBan = operands[0] === 'ban'
    if (!isBan && (reason !== undefined || seconds !== undefined))
      throw usageFailure('--reason and --seconds are of a ban: junqi admin ban ID')
    const call = callOf(operands, { reason: reason ?? '', seconds: secondsIn(seconds) })
    const answer = await ask(server ?? (await ownServer()), call)
    if (answer !== null) await writeLine(stdout, JSON.stringify(answer, null, 2))
    return 0
  },
}

/** Of a server with the settings of the environment. */
async function ownServer(): Promise<string> {
  // Loaded here alone: whoever names a server needs none of it.
  const { adminAddress } = await import('@junqi/server')
  const address = adminAddress(process.env)
  if (!address.ok)
    throw inputFailure(
      `${address.error} (With --server URL no setting but the token is looked at.)`,
    )
  return address.value
}

function callOf([action = '', id]: readonly string[], ban: Ban): Call {
  const call = ACTIONS[action]
  const callOnOne = ACTIONS_ON_ONE[action]
  if (call !== undefined && id === undefined) return call
  if (call !== undefined) throw usageFailure(`${action} takes no ID`)
  if (callOnOne === undefined)
    throw usageFailure(`there is no action ${action}; there are ${NAMES.join(', ')}`)
  if (id === undefined) throw usageFailure(`ID is missing: junqi admin ${action} ID`)
  if (!/^[0-9a-z]+$/.test(id)) throw inputFailure(`${id} is no id of a room or a player`)
  return callOnOne(id, ban)
}

function secondsIn(text: string | undefined): number | null {
  if (text === undefined) return null
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw usageFailure('--seconds is a whole number of at least 1; without it a ban is for ever')
}

/** null: there is nothing to tell. */
async function ask(server: string, { method, path, body }: Call): Promise<unknown> {
  const token = process.env.JUNQI_ADMIN_TOKEN ?? ''
  if (token === '') throw inputFailure('JUNQI_ADMIN_TOKEN is not set: it is the one of the server')
  if (!URL.canParse(server))
    throw usageFailure(`${server} is no address such as http://127.0.0.1:9080`)
  const answer = await fetch(new URL(`/admin/${path}`, server), {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => null)
  if (answer === null)
    throw inputFailure(`${server} does not answer; is that the admin port of the server?`)
  if (answer.status === 204) return null
  const told: unknown = await answer.json().catch(() => null)
  if (answer.ok) return told
  if (answer.status === 404 && (await isPublic(server)))
    throw inputFailure(
      `${server} is the port for players, not the admin port: that is JUNQI_ADMIN_PORT, and in the start line of the server`,
    )
  if (answer.status === 401) throw inputFailure(`${server} has another JUNQI_ADMIN_TOKEN`)
  const refused = httpError.safeParse(told)
  throw inputFailure(
    refused.success ? refused.data.error.message : `${server} is no Junqi server's admin port`,
  )
}

/** Whether it is the other port of a server, which tells everyone what it is. */
async function isPublic(server: string): Promise<boolean> {
  const meta = await fetch(new URL('/v1/meta', server)).catch(() => null)
  return meta?.ok === true
}
