import type { Layout } from '@junqi/engine'

/** A server of the command's own, in its own process. */
export interface OwnServer {
  readonly url: string
  stop(): Promise<void>
}

/**
 * Plays every flip game from this layout, and forgets it at the end. No other server can be asked for that: each draws its
 * shuffle itself, so that nobody knows what lies face down (R-FLIP-1).
 */
export async function serveLayout(layout: Layout): Promise<OwnServer> {
  return serve({ deal: () => layout })
}

/** For tables of the command's own making, at which nobody else plays. */
export const serveTables = (): Promise<OwnServer> => serve({})

async function serve(embedding: { readonly deal?: () => Layout }): Promise<OwnServer> {
  // Loaded here alone: no other command needs the server and its store.
  const { startServer } = await import('@junqi/server')
  const settings = {
    JUNQI_HOST: '127.0.0.1',
    JUNQI_PORT: '0',
    JUNQI_STORE: 'memory',
    JUNQI_LOG_LEVEL: 'silent',
  }
  return startServer(settings, embedding)
}
