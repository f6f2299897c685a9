import type { FastifyInstance } from 'fastify'
import type { Store } from '../ports.ts'
import { refusal } from './refusal.ts'
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

/** What load balancers and passers-by ask; open to everyone, and not counted. */
export function registerHealth(
  app: FastifyInstance,
  deps: { readonly store: Store; readonly isDraining: () => boolean },
): void {
  app.get('/', (_request, reply) => reply.type('text/html; charset=utf-8').send(PAGE))
  app.get('/healthz', () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    if (deps.isDraining()) return refuse(reply, refusal('unavailable', 'The server is stopping.'))
    await deps.store.ping()
    return { status: 'ready' }
  })
}
