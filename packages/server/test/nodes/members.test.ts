import { describe, expect, test } from 'vitest'
import { Nodes } from '../support/nodes.ts'
import { DEE } from '../support/players.ts'

describe('F-S4: who was removed from a private room, as its own node does not know yet', () => {
  test.each([
    ['comes in again with the invitation', true],
    ['and not without it', false],
  ])('%s', async (_, isInvited) => {
    const nodes = await Nodes.open()
    const { room, host } = await nodes.gather({ private: true })
    const { invitation } = await nodes.at(0).view(room, host.player)
    nodes.store.hints = 'lost'
    await nodes.at(0).do(host, { type: 'removePlayer', room, player: DEE.id })
    const invited = isInvited ? { invitation } : {}
    const tab = nodes.at(1).connect(DEE)
    const reply = await nodes.at(1).say(tab, { type: 'subscribe', room, ...invited })
    const version = await nodes.store.truth.version(room)
    expect(reply).toMatchObject(
      isInvited ? { type: 'snapshot', version } : { type: 'error', code: 'room_not_found' },
    )
    expect(nodes.faults).toEqual([])
  })
})
