import type { Result } from '@junqi/engine'
import { type BotLevel, type Guest, guest } from '@junqi/protocol'
import { type Environment, systemEnvironment } from './environment.ts'
import { call, type HttpAccess, jsonOf } from './http-call.ts'
import type { Refusal } from './refusal.ts'

/** Makes a guest on the server at `url`. Who has its token is this player: keep it, it is told once. */
export async function createGuest(
  url: string,
  name: string,
  environment: Pick<Environment, 'fetch'> = systemEnvironment,
): Promise<Result<Guest, Refusal>> {
  return makeAccount({ url, token: null, environment }, { name })
}

/** The bot account of this name and level: the same one, however often it is asked for. Needs the server's bot key. */
export async function createBot(
  url: string,
  bot: { readonly name: string; readonly level: BotLevel; readonly key: string },
  environment: Pick<Environment, 'fetch'> = systemEnvironment,
): Promise<Result<Guest, Refusal>> {
  const { name, level, key } = bot
  return makeAccount({ url, token: key, environment }, { name, bot: level })
}

const makeAccount = (access: HttpAccess, wish: object): Promise<Result<Guest, Refusal>> =>
  call(access, { method: 'POST', path: 'v1/guests', json: wish }, jsonOf(guest))
