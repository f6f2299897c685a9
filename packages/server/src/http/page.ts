import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import helmet from '@fastify/helmet'
import fastifyStatic from '@fastify/static'
import { roomId, shareToken } from '@junqi/protocol'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Door } from './door.ts'
import type { Peer } from './peer.ts'
import { refuse } from './routes.ts'

/** Where the page was not built. */
const SIGN = `<!doctype html>
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

/** What the page may load and talk to: its own origin, and nothing that is written into it. */
const POLICY = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'"],
  connectSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
}

/** The documents need no more than their style. */
const DOCS_POLICY =
  "default-src 'none';style-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'"

/** Their names change with what is in them. */
const IMMUTABLE = 'public, max-age=31536000, immutable'

/** The folder of the built page; null: it was not built. */
export function findPage(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve('@junqi/web/index.html'))
  } catch {
    // What is not there is not resolved.
    return null
  }
}

/**
 * Where in the page a finished game is looked at. Behind the `#` a share goes to no server, and relative to the address
 * that was asked for it is right below any path.
 */
function replayPath(id: string, share: string | undefined): string | null {
  const room = roomId.safeParse(id)
  if (!room.success) return null
  const given = shareToken.safeParse(share)
  return `../#/replay/${room.data}${given.success ? `/${given.data}` : ''}`
}

/**
 * Serves the page at `/`, files and all; where it was not built (null), a sign that says what is here. What it serves is
 * counted like any request (F-M1), but is there for everyone, also while the node takes no players.
 */
export function registerPage(app: FastifyInstance, folder: string | null, door: Door): void {
  app.register(async (page) => {
    countAll(page, door)
    await registerFiles(page, folder)
  })
}

function countAll(page: FastifyInstance, door: Door): void {
  const peers = new WeakMap<FastifyRequest, Peer>()
  page.addHook('onRequest', async (request, reply) => {
    const counted = door.count(request.raw)
    if (!counted.ok) return refuse(reply, counted.error)
    peers.set(request, counted.value)
  })
  page.addHook('onSend', async (request, reply) => {
    const peer = peers.get(request)
    if (peer !== undefined) door.weigh(peer, Number(reply.getHeader('content-length') ?? 0))
  })
}

async function registerFiles(app: FastifyInstance, folder: string | null): Promise<void> {
  if (folder === null) {
    app.get('/', (_request, reply) => reply.type('text/html; charset=utf-8').send(SIGN))
    return
  }
  app.get<{ Params: { id: string }; Querystring: { share?: string } }>(
    '/g/:id',
    async ({ params, query }, reply) => {
      const path = replayPath(params.id, query.share)
      return path === null ? reply.callNotFound() : reply.redirect(path)
    },
  )
  // Relative, so that it is right below any path.
  app.get('/docs', (_request, reply) => reply.redirect('docs/'))
  const docs = join(folder, 'docs/')
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: POLICY },
    // Whether a host is reached by TLS alone is for the deployer to say.
    strictTransportSecurity: false,
  })
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    preCompressed: true,
    globIgnore: ['**/*.{br,gz}'],
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = path.includes('/assets/')
      reply.header('cache-control', isHashed ? IMMUTABLE : 'no-cache')
      if (path.startsWith(docs)) reply.header('content-security-policy', DOCS_POLICY)
    },
  })
}
