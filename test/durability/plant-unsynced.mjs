// Preloaded into a server (node --import), plants a store that does not sync.
import { register } from 'node:module'
import { isMainThread } from 'node:worker_threads'

const SYNCED = 'overlappingSync: false'

// Node loads this file once more, in the thread of the hooks.
if (isMainThread) register(import.meta.url)

export async function load(url, context, nextLoad) {
  const loaded = await nextLoad(url, context)
  if (!url.endsWith('/adapters/lmdb/data-tree.js')) return loaded
  const source = String(loaded.source)
  if (!source.includes(SYNCED)) throw new Error('There is nothing to plant the fault in')
  return { ...loaded, source: source.replace(SYNCED, `${SYNCED}, noSync: true`) }
}
