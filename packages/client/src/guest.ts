import { err, ok, type Result } from '@junqi/engine'
import { type Guest, guest, httpError } from '@junqi/protocol'
import { addressOf } from './address.ts'
import { type Environment, systemEnvironment } from './environment.ts'
import { type Refusal, refusal } from './refusal.ts'

/** Makes a guest on the server at `url`. Who has its token is this player: keep it, it is told once. */
export async function createGuest(
  url: string,
  name: string,
  { fetch }: Pick<Environment, 'fetch'> = systemEnvironment,
): Promise<Result<Guest, Refusal>> {
  try {
    const response = await fetch(addressOf(url).http('v1/guests'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    })
    const body: unknown = await response.json()
    const made = guest.safeParse(body)
    return made.success ? ok(made.data) : err(refusalIn(body))
  } catch (error) {
    return err(refusal('unavailable', `${url} does not answer: ${reasonOf(error)}.`))
  }
}

/** Of Node's `fetch failed` the cause tells more. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && cause.message !== '' ? cause.message : String(error)
}

/** The refusal that an HTTP body tells. */
export function refusalIn(body: unknown): Refusal {
  const told = httpError.safeParse(body)
  if (!told.success) return refusal('unavailable', 'The answer is none of a Junqi server.')
  return refusal(told.data.error.code, told.data.error.message)
}
