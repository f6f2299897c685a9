import { z } from 'zod'
import type { KeptFormations, PlayerId } from '../../ports.ts'
import type { Batch, Reader } from './batch.ts'
import { KEYS } from './codec.ts'

const texts = z.array(z.tuple([z.string(), z.string()]))
const kept = z.strictObject({ named: texts, last: texts })

/** FormationStore.keptFormations. */
export function readFormations(reader: Reader, player: PlayerId): KeptFormations {
  const text = reader.get(KEYS.formations(player))
  if (text === undefined) return { named: new Map(), last: new Map() }
  const { named, last } = kept.parse(JSON.parse(text))
  return { named: new Map(named), last: new Map(last) }
}

export function writeFormations(batch: Batch, player: PlayerId, formations: KeptFormations): void {
  const key = KEYS.formations(player)
  const { named, last } = formations
  if (named.size + last.size === 0) batch.remove(key)
  else batch.put(key, JSON.stringify({ named: [...named], last: [...last] }))
}
