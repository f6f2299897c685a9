import type { KeptFormations } from '../../ports.ts'
import { textsOf } from './reply.ts'

/** FormationStore.keepFormation. */
export const KEEP_FORMATION_SOURCE = `
local field, formation, limit = ARGV[1], ARGV[2], tonumber(ARGV[3])
if redis.call('HEXISTS', KEYS[1], field) == 0 then
  local named = 0
  for _, other in ipairs(redis.call('HKEYS', KEYS[1])) do
    if string.sub(other, 1, 1) == 'n' then named = named + 1 end
  end
  if named >= limit then return 0 end
end
redis.call('HSET', KEYS[1], field, formation)
return 1`

export const namedField = (name: string): string => `n ${name}`
export const lastField = (preset: string): string => `l ${preset}`

/** From the reply of HGETALL, by whichever version of the protocol. */
export function formationsOf(reply: unknown): KeptFormations {
  const flat = textsOf(reply)
  const named = new Map<string, string>()
  const last = new Map<string, string>()
  for (let at = 0; at < flat.length; at += 2) {
    const [field = '', formation = ''] = flat.slice(at, at + 2)
    const kept = field.startsWith('n') ? named : last
    kept.set(field.slice(2), formation)
  }
  return { named, last }
}
