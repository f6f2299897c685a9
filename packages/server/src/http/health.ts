import type { FastifyInstance } from 'fastify'
import { type Store, StoreUnavailableError } from '../ports.ts'
import { CLOSED } from './door.ts'
import { type Refusal, refusal } from './refusal.ts'
import { refuse } from './routes.ts'

export interface HealthDeps {
  readonly store: Pick<Store, 'ping'>
  readonly isDraining: () => boolean
}

/** Why nobody is to be sent here now; null: the server is ready. */
export async function problemOfServing({ store, isDraining }: HealthDeps): Promise<Refusal | null> {
  if (isDraining()) return CLOSED
  try {
    await store.ping()
    return null
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error
    return refusal('unavailable', 'The store does not answer.')
  }
}

/** What load balancers ask; open to everyone, and not counted. */
export function registerHealth(app: FastifyInstance, deps: HealthDeps): void {
  app.get('/healthz', () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const problem = await problemOfServing(deps)
    return problem === null ? { status: 'ready' } : refuse(reply, problem)
  })
}
