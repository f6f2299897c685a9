import { err, ok, type Result } from '@junqi/engine'
import { type Form, httpError, readKnown } from '@junqi/protocol'
import { addressOf } from './address.ts'
import { type Environment, systemEnvironment } from './environment.ts'
import { type Refusal, refusal } from './refusal.ts'

/** Whom to ask, and as whom. */
export interface HttpAccess {
  /** The address of the server. */
  readonly url: string
  /** A player's; null: nobody in particular, or whoever the browser's cookie says. */
  readonly token: string | null
  readonly environment?: Pick<Environment, 'fetch'>
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Under the server's address; without a slash before it. */
  readonly path: string
  readonly json?: unknown
  readonly bytes?: Uint8Array
}

/** Asks over HTTP. What is refused, or no answer of a Junqi server, is a refusal; nothing throws. */
export async function call<Answer>(
  access: HttpAccess,
  asked: Call,
  read: (response: Response) => Promise<Answer | null>,
): Promise<Result<Answer, Refusal>> {
  const { url, token, environment: { fetch } = systemEnvironment } = access
  const { method = 'GET', path, bytes } = asked
  const type = bytes === undefined ? 'application/json' : 'application/octet-stream'
  const body = bodyOf(asked)
  try {
    const response = await fetch(addressOf(url).http(path), {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': type }),
      },
      ...(body !== undefined && { body }),
    })
    if (!response.ok) return err(refusalIn(await response.json()))
    const answer = await read(response)
    return answer === null ? err(refusalIn(null)) : ok(answer)
  } catch (error) {
    return err(refusal('unavailable', `${url} does not answer: ${reasonOf(error)}.`))
  }
}

function bodyOf({ json, bytes }: Call): string | Uint8Array<ArrayBuffer> | undefined {
  if (bytes !== undefined) return Uint8Array.from(bytes)
  return json === undefined ? undefined : JSON.stringify(json)
}

/** Reads a JSON answer of this form, passing over what a newer server tells besides; another form is none. */
export const jsonOf =
  <Answer>(schema: Form<Answer>) =>
  async (response: Response): Promise<Answer | null> =>
    readKnown(schema, await response.json())

export const bytesOf = async (response: Response): Promise<Uint8Array> =>
  new Uint8Array(await response.arrayBuffer())

/** The path with what is asked for; what is undefined is not asked for. */
export function withQuery(path: string, query: object): string {
  const told = Object.entries(query).filter(([, value]) => value !== undefined)
  if (told.length === 0) return path
  return `${path}?${new URLSearchParams(told.map(([name, value]) => [name, String(value)]))}`
}

/** Of Node's `fetch failed` the cause tells more. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && cause.message !== '' ? cause.message : String(error)
}

/** The refusal that an HTTP body tells. */
export function refusalIn(body: unknown): Refusal {
  const told = readKnown(httpError, body)
  if (told === null) return refusal('unavailable', 'The answer is none of a Junqi server.')
  return refusal(told.error.code, told.error.message)
}
