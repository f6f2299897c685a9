import type { FastifyInstance } from 'fastify'
import { type Store, StoreUnavailableError } from '../ports.ts'
import { type Refusal, refusal } from './refusal.ts'
import { refuse } from './routes.ts'

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Junqi server</title>
<h1>Junqi server</h1>
<p>Programs play here over WebSocket at <code>/v1/ws</code>, subprotocol <code>junqi.v1</code>:
see docs/protocol.md. <code>POST /v1/guests</code> makes a player,
<a href="/v1/rooms"><code>GET /v1/rooms</code></a> lists the open rooms,
<a href="/v1/meta"><code>GET /v1/meta</code></a> tells versions, limits and presets.</p>
</html>
`

export interface HealthDeps {
  readonly store: Pick<Store, 'ping'>
  readonly isDraining: () => boolean
}

/** Why nobody is to be sent here now; null: the server is ready. */
export async function problemOfServing({ store, isDraining }: HealthDeps): Promise<Refusal | null> {
  if (isDraining()) return refusal('unavailable', 'The server is stopping.')
  try {
    await store.ping()
    return null
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error
    return refusal('unavailable', 'The store does not answer.')
  }
}

/** What load balancers and passers-by ask; open to everyone, and not counted. */
export function registerHealth(app: FastifyInstance, deps: HealthDeps): void {
  app.get('/', (_request, reply) => reply.type('text/html; charset=utf-8').send(PAGE))
  app.get('/healthz', () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const problem = await problemOfServing(deps)
    return problem === null ? { status: 'ready' } : refuse(reply, problem)
  })
}
