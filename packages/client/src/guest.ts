import { err, ok, type Result } from '@junqi/engine'
import { type BotLevel, type Guest, guest, httpError } from '@junqi/protocol'
import { addressOf } from './address.ts'
import { type Environment, systemEnvironment } from './environment.ts'
import { type Refusal, refusal } from './refusal.ts'

/** Makes a guest on the server at `url`. Who has its token is this player: keep it, it is told once. */
export async function createGuest(
  url: string,
  name: string,
  environment: Pick<Environment, 'fetch'> = systemEnvironment,
): Promise<Result<Guest, Refusal>> {
  return makeAccount(url, { name }, {}, environment)
}

/** The bot account of this name and level: the same one, however often it is asked for. Needs the server's bot key. */
export async function createBot(
  url: string,
  bot: { readonly name: string; readonly level: BotLevel; readonly key: string },
  environment: Pick<Environment, 'fetch'> = systemEnvironment,
): Promise<Result<Guest, Refusal>> {
  const { name, level, key } = bot
  return makeAccount(url, { name, bot: level }, { authorization: `Bearer ${key}` }, environment)
}

async function makeAccount(
  url: string,
  wish: object,
  headers: Readonly<Record<string, string>>,
  { fetch }: Pick<Environment, 'fetch'>,
): Promise<Result<Guest, Refusal>> {
  try {
    const response = await fetch(addressOf(url).http('v1/guests'), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(wish),
    })
    const body: unknown = await response.json()
    const made = guest.safeParse(body)
    return made.success ? ok(made.data) : err(refusalIn(body))
  } catch (error) {
    return err(refusal('unavailable', `${url} does not answer: ${reasonOf(error)}.`))
  }
}

/** Of Node's `fetch failed` the cause tells more. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && cause.message !== '' ? cause.message : String(error)
}

/** The refusal that an HTTP body tells. */
export function refusalIn(body: unknown): Refusal {
  const told = httpError.safeParse(body)
  if (!told.success) return refusal('unavailable', 'The answer is none of a Junqi server.')
  return refusal(told.data.error.code, told.data.error.message)
}
