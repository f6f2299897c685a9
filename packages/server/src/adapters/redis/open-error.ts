import { StoreOpenError } from '../store-open-error.ts'

const SEE = '(see JUNQI_REDIS_URL)'

/** What a fault of the connection says, and what to do; the first that fits. */
const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [
    /No such master/,
    `is not known to its sentinels: correct the name of the master at the end ${SEE}`,
  ],
  [
    /to sentinel/,
    `cannot be found: none of its sentinels answers; start them, or correct their addresses ${SEE}`,
  ],
  [
    /ECONNREFUSED/,
    `cannot be reached: nothing listens there; start it, or correct the address ${SEE}`,
  ],
  [/ENOTFOUND|EAI_AGAIN/, `cannot be reached: there is no such host; correct it ${SEE}`],
  [
    /ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|timed out/,
    `does not answer: see that it runs, that no firewall is between, and, for rediss, that it speaks TLS ${SEE}`,
  ],
  [
    /ECONNRESET|EPIPE|Connection is closed/,
    `does not take the connection: see that it runs there, and whether it wants TLS ${SEE}`,
  ],
  [/^WRONGPASS|^NOAUTH|invalid password/, `refuses the login: correct user and password ${SEE}`],
  [
    /^NOPERM|^ERR The user executing the script/,
    'does not allow its user what the server needs: give it all commands on its keys and channels',
  ],
  [/^ERR DB index/, `has no such database: correct the number at the end ${SEE}`],
  [/cluster support disabled/, `is no cluster: write redis://host:port ${SEE}`],
  [
    /^LOADING|^BUSY|^MASTERDOWN|^CLUSTERDOWN|^READONLY|^OOM|^MISCONF|^NOREPLICAS/,
    'takes no writes now',
  ],
  [/certificate|SSL|TLS/i, `cannot be reached by TLS ${SEE}`],
]

/** One sentence for why the store cannot be opened. */
export function openError(place: string, cause: unknown): StoreOpenError {
  if (cause instanceof StoreOpenError) return cause
  const words = wordsOf(cause)
  const found = SENTENCES.find(([pattern]) => pattern.test(words))
  const sentence = found === undefined ? 'cannot be used' : found[1]
  return new StoreOpenError(`Redis (${place}) ${sentence}${detail(words)}.`, { cause })
}

/** Redis's own words, which name no login. */
const detail = (words: string): string => (words === '' ? '' : ` [${words}]`)

/** The innermost fault says most. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('lastNodeError' in error && error.lastNodeError) return wordsOf(error.lastNodeError)
  if (error.cause instanceof Error) return wordsOf(error.cause)
  const code =
    'code' in error && !error.message.includes(String(error.code)) ? `${error.code}: ` : ''
  return `${code}${error.message}`
}
