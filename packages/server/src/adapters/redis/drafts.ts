import { LIMITS } from '@junqi/protocol'
import type { CommandId, PlayerId } from '../../ports.ts'
import { publishing } from './append.ts'

/** DraftStore.saveDraft. */
export const saveDraftSource = (kind: { readonly isCluster: boolean }): string => `
local drafts, channel = unpack(KEYS)
local player, id, formation, isHeard, node = unpack(ARGV)
${publishing(kind)}

local ids = {}
for word in string.gmatch(redis.call('HGET', drafts, player .. ' ids') or '', '%S+') do
  if word == id then return end
  table.insert(ids, word)
end
table.insert(ids, id)
if #ids > ${LIMITS.rememberedCommands} then table.remove(ids, 1) end
redis.call('HSET', drafts, player, formation, player .. ' ids', table.concat(ids, ' '))
tell(channel, isHeard, 'd ' .. player .. ' ' .. node)`

/** The field of the ids of a player's last drafts. */
export const draftIdsField = (player: PlayerId): string => `${player} ids`

export const hasDraftId = (ids: string | null, id: CommandId): boolean =>
  ids?.split(' ').includes(id) ?? false
