import { err, ok, type Result } from '@junqi/engine'
import { type Player, session } from '@junqi/protocol'
import { addressOf } from './address.ts'
import { type Environment, systemEnvironment } from './environment.ts'
import { refusalIn } from './guest.ts'
import { type Refusal, refusal } from './refusal.ts'

/** Whose the token is; null: the browser sends its cookie. Refused as `unauthorized` where it is nobody's. */
export async function readSession(
  url: string,
  token: string | null,
  { fetch }: Pick<Environment, 'fetch'> = systemEnvironment,
): Promise<Result<Player, Refusal>> {
  const headers: HeadersInit = token === null ? {} : { authorization: `Bearer ${token}` }
  try {
    const response = await fetch(addressOf(url).http('v1/session'), { headers })
    const body: unknown = await response.json()
    const told = session.safeParse(body)
    return told.success ? ok(told.data.player) : err(refusalIn(body))
  } catch {
    return err(refusal('unavailable', `${url} does not answer.`))
  }
}
