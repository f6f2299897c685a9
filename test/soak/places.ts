import { join } from 'node:path'
import { DataTree } from '../../packages/server/src/adapters/lmdb/data-tree.ts'
import { isKept, SHORT_LIVED } from '../chaos/abandoned.ts'
import { COLLECTABLE, Site } from '../chaos/site.ts'
import { Balancer } from '../support/balancer.ts'
import { complaintsIn, type ServerProcess, startServer } from '../support/server-process.ts'
import { UNLIMITED } from '../support/unlimited.ts'

/** Where a soak goes on: nodes over one store, behind one entry port. */
export interface Place {
  readonly nodes: readonly { readonly server: ServerProcess }[]
  readonly balancer: Balancer
  /** How many keys are stored that are neither of a finished game, whose record stays, nor gone by themselves in a minute. */
  livingKeys(): Promise<number>
  /** What the nodes wrote that tells of a bug. */
  complaints(): readonly string[]
  stop(): Promise<void>
}

export const STORES = ['lmdb', 'redis'] as const

export const openPlace: Readonly<Record<(typeof STORES)[number], () => Promise<Place>>> = {
  lmdb: overLmdb,
  redis: overRedis,
}

/** One node, and the folder of its data. */
async function overLmdb(): Promise<Place> {
  const server = await startServer(UNLIMITED, ['env', `NODE_OPTIONS=--import=${COLLECTABLE}`])
  const balancer = await Balancer.before([server])
  return {
    nodes: [{ server }],
    balancer,
    livingKeys: () => livingIn(join(server.dataDir, 'junqi.mdb')),
    complaints: () => complaintsIn(server.output()),
    stop: async () => {
      await balancer.close()
      await server.stop()
    },
  }
}

/** What goes when its room has gone. See codec.ts of the adapter. */
const LIVING_LETTERS = 'BCDFLOQTWz'

/** Reads the data file beside the server that writes it. */
async function livingIn(path: string): Promise<number> {
  const tree = await DataTree.open(path, { readOnly: true })
  try {
    const finished = new Set([...tree.range('G')].map(({ key }) => key.slice(1)))
    const letters = [...LIVING_LETTERS]
    const living = letters.flatMap((letter) =>
      [...tree.range(letter)].filter(({ key, value }) => !finished.has(roomIn(key, value))),
    )
    return living.length
  } finally {
    await tree.close()
  }
}

/** The room that a record is about. */
const roomIn = (key: string, value: string): string =>
  (key.startsWith('z') ? value : key.slice(1)).split(' ', 1)[0] ?? ''

/** Two nodes. */
async function overRedis(): Promise<Place> {
  const site = await Site.start(2)
  return {
    nodes: site.nodes,
    balancer: site.balancer,
    livingKeys: async () => {
      const keys = await site.records.keys()
      const finished = new Set(keys.flatMap((key) => /:game:(\w+)/.exec(key)?.[1] ?? []))
      return keys.filter((key) => !isKept(key, finished) && !SHORT_LIVED.test(key)).length
    },
    complaints: () => site.complaints(),
    stop: () => site.stop(),
  }
}
