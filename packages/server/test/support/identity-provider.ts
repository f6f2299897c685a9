import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

export const ISSUER = 'https://login.example/'
export const AUDIENCE = 'junqi'

type Keys = Awaited<ReturnType<typeof generateKeyPair>>

/** Of a token that is not as it should be. */
export interface Wish {
  readonly claims?: JWTPayload
  /** Seconds from now; null: it has no end. */
  readonly ends?: number | null
  readonly starts?: number
  readonly kid?: string
  /** What it calls itself. */
  readonly typ?: unknown
}

/** A deployer's identity provider: keys of its own, an address at which they are, and tokens by them. */
export class TestProvider {
  /** Requests for the keys so far. */
  asked = 0
  /** How it answers them. */
  answers: 'keys' | 'error' | 'nonsense' = 'keys'
  readonly #server: Server
  readonly #keys = new Map<string, Keys>()
  readonly #spoilt = new Set<string>()
  readonly #date: () => number

  private constructor(date: () => number) {
    this.#date = date
    this.#server = createServer(async (_request, response) => {
      this.asked += 1
      if (this.answers === 'error') response.statusCode = 500
      response.setHeader('content-type', 'application/json')
      response.end(this.answers === 'nonsense' ? '[]' : JSON.stringify(await this.#published()))
    })
  }

  /** `date`: milliseconds since 1970. */
  static async start(date: () => number): Promise<TestProvider> {
    const provider = new TestProvider(date)
    await provider.addKey('one')
    provider.#server.listen(0, '127.0.0.1')
    await once(provider.#server, 'listening')
    return provider
  }

  /** The settings of a server that takes its players. */
  get env(): Readonly<Record<string, string>> {
    const { port } = this.#server.address() as AddressInfo
    return {
      JUNQI_JWT_ISSUER: ISSUER,
      JUNQI_JWT_AUDIENCE: `another,${AUDIENCE}`,
      JUNQI_JWT_JWKS_URL: `http://127.0.0.1:${port}/keys`,
    }
  }

  async addKey(kid: string, algorithm = 'ES256'): Promise<void> {
    this.#keys.set(kid, await generateKeyPair(algorithm, { extractable: true }))
  }

  /** Publishes a key in a form that nobody can read. */
  spoilKey(kid: string): void {
    this.#spoilt.add(kid)
  }

  dropKey(kid: string): void {
    this.#keys.delete(kid)
  }

  /** A good token, but for what is wished otherwise. */
  async token(wish: Wish = {}): Promise<string> {
    const { claims = {}, ends = 300, starts, kid = 'one', typ } = wish
    const keys = this.#keys.get(kid)
    if (keys === undefined) throw new Error('no such key')
    const now = Math.floor(this.#date() / 1000)
    const payload = { iss: ISSUER, aud: AUDIENCE, sub: 'ann', name: 'Ann', ...claims }
    return new SignJWT({
      ...payload,
      ...(ends !== null && { exp: now + ends }),
      ...(starts !== undefined && { nbf: now + starts }),
    })
      .setProtectedHeader({ alg: 'ES256', kid, ...(typ !== undefined && { typ: typ as string }) })
      .sign(keys.privateKey)
  }

  /** The public half of a key, as anybody can read it. */
  async publicKey(kid: string) {
    const keys = this.#keys.get(kid)
    if (keys === undefined) throw new Error('no such key')
    return { ...(await exportJWK(keys.publicKey)), kid, alg: 'ES256', use: 'sig' }
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #published(): Promise<object> {
    const keys = await Promise.all([...this.#keys.keys()].map((kid) => this.publicKey(kid)))
    return { keys: keys.map((key) => (this.#spoilt.has(key.kid) ? { ...key, x: 'AAAA' } : key)) }
  }
}
